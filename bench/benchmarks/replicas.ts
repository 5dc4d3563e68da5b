import type { Benchmark, Figures } from '../lib/benchmark.ts';
import type { ReplicaSizes } from '../replicas/scenario.ts';
import { scenarios } from '../replicas/scenarios/index.ts';

export const replicas: Benchmark<keyof ReplicaSizes> = {
  place: 'scenario',
  defaultPlace: 'all',
  summary: `Kills, stops and cuts off processes that share a database, and judges what users see: ${Object.keys(scenarios).join(', ')}.`,
  defaults: { rate: 30, conversations: 200, seconds: 180, pauses: 20, takeovers: 20, rounds: 3, patience: 180 },
  run: async (sizes, _, scenario) => {
    const names = scenario === 'all' ? Object.keys(scenarios) : [scenario];
    const unknown = names.find((name) => !Object.hasOwn(scenarios, name));
    if (unknown !== undefined)
      throw new Error(`There is no scenario "${unknown}". These are known: ${Object.keys(scenarios).join(', ')}`);
    const results: Record<string, Figures> = {};
    for (const [name, one] of Object.entries(scenarios)) {
      if (!names.includes(name)) continue;
      const log = (line: string) => console.log(`${name}: ${line}`);
      const begun = performance.now();
      const { figures, problems: found, late = [] } = await one.run({ sizes, log });
      const problems = [...found, ...late];
      for (const problem of problems) log(`PROBLEM ${problem}`);
      const seconds = Math.round((performance.now() - begun) / 1000);
      results[name] = { ...figures, problems: problems.length, seconds };
      console.log(JSON.stringify({ [name]: results[name] }));
    }
    return { scenarios: results };
  },
};
