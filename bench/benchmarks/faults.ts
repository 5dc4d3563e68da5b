import { runScenario } from '../faults/run-scenario.ts';
import { scenarios } from '../faults/scenarios/index.ts';
import { type FaultSizes, fullSizes } from '../faults/sizes.ts';
import type { Benchmark, Figures } from '../lib/benchmark.ts';
import type { Engine } from '../lib/installation.ts';

export const faults: Benchmark<keyof FaultSizes, 'engine'> = {
  place: 'scenario',
  defaultPlace: 'all',
  summary: `Breaks the service, its database and its platform while users write, and judges what users see: ${Object.keys(scenarios).join(', ')}.`,
  defaults: { ...fullSizes },
  choices: { engine: ['all', 'sqlite', 'postgres'] },
  run: async (sizes, { engine }, scenario) => {
    const names = scenario === 'all' ? Object.keys(scenarios) : [scenario];
    const unknown = names.find((name) => !Object.hasOwn(scenarios, name));
    if (unknown !== undefined)
      throw new Error(`There is no scenario "${unknown}". These are known: ${Object.keys(scenarios).join(', ')}`);
    const begun = performance.now();
    const results: Record<string, Figures> = {};
    for (const [name, one] of Object.entries(scenarios)) {
      if (!names.includes(name)) continue;
      const only = engine === 'all' ? null : (engine as Engine);
      results[name] = await runScenario(name, one, { only, sizes, log: (line) => console.log(line) });
      console.log(JSON.stringify({ [name]: results[name] }));
    }
    return { scenarios: results, seconds: Math.round((performance.now() - begun) / 1000) };
  },
};
