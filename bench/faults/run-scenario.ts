import type { Figures } from '../lib/benchmark.ts';
import type { Engine } from '../lib/installation.ts';
import { totalOf } from './lib/outcome.ts';
import type { Scenario, ScenarioOutcome } from './scenario.ts';
import type { FaultSizes } from './sizes.ts';

/** A scenario on every engine that it is for: the sum, and each by itself. Problems are logged and counted. */
export async function runScenario(
  name: string,
  { engines, isPatient = false, run }: Scenario,
  options: { only: Engine | null; sizes: FaultSizes; tree?: string; log(line: string): void },
): Promise<Figures & { problems: number }> {
  const begun = performance.now();
  const runOn = async (engine: Engine): Promise<[Engine, ScenarioOutcome]> => {
    const log = (line: string) => options.log(`${name}, ${engine}: ${line}`);
    const outcome = await run({ ...options, engine, log });
    for (const problem of outcome.problems) log(`PROBLEM ${problem}`);
    return [engine, outcome];
  };
  const wanted = engines.filter((engine) => options.only === null || options.only === engine);
  const outcomes: [Engine, ScenarioOutcome][] = [];
  if (isPatient) outcomes.push(...(await Promise.all(wanted.map(runOn))));
  else for (const engine of wanted) outcomes.push(await runOn(engine));
  const problems = outcomes.reduce((sum, [, outcome]) => sum + outcome.problems.length, 0);
  const total = totalOf(outcomes.flatMap(([, { verdicts }]) => Object.values(verdicts)));
  const each = outcomes.map(([engine, { verdicts, figures }]) => [engine, { ...figures, ...numbersOf(verdicts) }]);
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { ...total, problems, seconds, ...Object.fromEntries(each) };
}

function numbersOf(verdicts: ScenarioOutcome['verdicts']): Figures {
  return Object.fromEntries(Object.entries(verdicts).map(([bot, verdict]) => [bot, { ...verdict }]));
}
