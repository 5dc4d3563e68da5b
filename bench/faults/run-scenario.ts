import type { Figures } from '../lib/benchmark.ts';
import type { Engine } from '../lib/installation.ts';
import { totalOf } from './lib/outcome.ts';
import type { Scenario, ScenarioOutcome } from './scenario.ts';
import type { FaultSizes } from './sizes.ts';

/** A scenario on every engine that it is for: the sum, and each by itself. Problems are logged and counted. */
export async function runScenario(
  name: string,
  { engines, run }: Scenario,
  options: { only: Engine | null; sizes: FaultSizes; tree?: string; log(line: string): void },
): Promise<Figures & { problems: number }> {
  const begun = performance.now();
  const outcomes: [Engine, ScenarioOutcome][] = [];
  let problems = 0;
  for (const engine of engines) {
    if (options.only !== null && options.only !== engine) continue;
    const log = (line: string) => options.log(`${name}, ${engine}: ${line}`);
    const outcome = await run({ ...options, engine, log });
    for (const problem of outcome.problems) log(`PROBLEM ${problem}`);
    problems += outcome.problems.length;
    outcomes.push([engine, outcome]);
  }
  const total = totalOf(outcomes.flatMap(([, { verdicts }]) => Object.values(verdicts)));
  const each = outcomes.map(([engine, { verdicts, figures }]) => [engine, { ...figures, ...numbersOf(verdicts) }]);
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { ...total, problems, seconds, ...Object.fromEntries(each) };
}

function numbersOf(verdicts: ScenarioOutcome['verdicts']): Figures {
  return Object.fromEntries(Object.entries(verdicts).map(([bot, verdict]) => [bot, { ...verdict }]));
}
