import { describe, expect, it } from 'vitest';
import { runScenario } from '../../../bench/faults/run-scenario.ts';
import { scenarios } from '../../../bench/faults/scenarios/index.ts';
import { type FaultSizes, shortSizes } from '../../../bench/faults/sizes.ts';
import type { Engine } from '../../../bench/lib/installation.ts';

/** About 3 minutes together; `npm run bench -- faults` tries the same for longer. */
const short: [scenario: string, engine: Engine, sizes: Partial<FaultSizes>][] = [
  ['kills', 'sqlite', { kills: 4 }],
  ['kills', 'postgres', { kills: 2 }],
  ['stops', 'sqlite', { stops: 2 }],
  ['limits', 'sqlite', { 'longest-pause': 3 }],
  ['outages', 'sqlite', { 'outage-percent': 5 }],
  ['postgres', 'postgres', { restarts: 1, crashes: 1, cuts: 1 }],
  ['parts', 'sqlite', { 'part-kills': 3 }],
  ['flood', 'sqlite', {}],
];

// They mostly wait, so some run beside each other.
describe.concurrent('users see every answer once, complete and in order', () => {
  // A second attempt, because a machine that stalls for a second looks like a fault. A real fault appears twice.
  it.each(short)('%s on %s', { timeout: 180_000, retry: 1 }, async (name, engine, sizes) => {
    const problems: string[] = [];
    const scenario = scenarios[name];
    if (scenario === undefined) throw new Error(`There is no scenario ${name}`);
    const figures = await runScenario(name, scenario, {
      only: engine,
      sizes: { ...shortSizes, ...sizes },
      log: (line) => {
        if (line.includes('PROBLEM')) problems.push(line);
      },
    });
    expect(problems).toEqual([]);
    // Something was tried.
    expect(figures.asked).toBeGreaterThan(10);
  });
});
