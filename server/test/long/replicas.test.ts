import { describe, expect, it } from 'vitest';
import type { ReplicaSizes } from '../../../bench/replicas/scenario.ts';
import { scenarios } from '../../../bench/replicas/scenarios/index.ts';

/** `npm run bench -- replicas` tries the same for longer, and judges times. */
const short: ReplicaSizes = {
  rate: 8,
  conversations: 25,
  seconds: 20,
  pauses: 2,
  takeovers: 1,
  rounds: 1,
  patience: 90,
};

// They mostly wait, so some run beside each other.
describe.concurrent('several processes on one database lose, repeat and reorder nothing', () => {
  const names = ['kills', 'pauses', 'database', 'takeover'];
  it.for(names)('%s', { timeout: 300_000, retry: 1 }, async (name, { onTestFailed }) => {
    const scenario = scenarios[name];
    if (scenario === undefined) throw new Error(`There is no scenario ${name}`);
    const log: string[] = [];
    // Of a timeout as well, whose message says nothing.
    onTestFailed(() => console.log(`${name}:\n${log.join('\n')}`));
    const { problems, figures } = await scenario.run({ sizes: short, log: (line) => void log.push(line) });
    expect(problems).toEqual([]);
    const { asked, lost, repeated, reordered, polls_of_two = 0 } = figures;
    if (name === 'takeover') expect(polls_of_two).toBe(0);
    else {
      // Something was tried.
      expect(asked).toBeGreaterThan(50);
      expect({ lost, repeated, reordered }).toEqual({ lost: 0, repeated: 0, reordered: 0 });
    }
  });
});
