import type { LaunchedServer } from '../../lib/server-process.ts';
import { type Evidence, questionsWithRemains, repeatedAnswers, unfoundedAnswers } from '../judge.ts';
import type { ScenarioOutcome } from '../scenario.ts';
import { faultsOf, neverFigures, verdictsOf } from './outcome.ts';
import type { Stage } from './stage.ts';

/** Waits until everything is answered and judges each bot. */
export async function judgeWhenDrained(
  stage: Stage,
  service: LaunchedServer,
  patienceSeconds: number,
): Promise<ScenarioOutcome & { evidence: Evidence }> {
  const begun = performance.now();
  const isDrained = await stage.drained(service, patienceSeconds);
  const drain_seconds = Math.round((performance.now() - begun) / 1000);
  const evidence = await stage.evidence(service);
  for (const line of [...unfoundedAnswers(evidence), ...repeatedAnswers(evidence)]) stage.log(line);
  const untraced = await countUntraced(stage, service, evidence);
  const verdicts = verdictsOf(evidence, stage.bots);
  const problems = faultsOf(verdicts, neverFigures);
  if (!isDrained) problems.push(`not everything was answered within ${patienceSeconds} s`);
  if (untraced > 0) problems.push(`${untraced} partial messages remain of which no trace tells`);
  return { verdicts, figures: { drain_seconds, untraced }, problems, evidence };
}

/** Waits until everything is answered, judges each bot and stops the service. */
export async function conclude(...parameters: Parameters<typeof judgeWhenDrained>) {
  const [stage, service] = parameters;
  const outcome = await judgeWhenDrained(...parameters);
  const { code, signal } = await stage.terminate(service);
  if (code !== 0) outcome.problems.push(`the last stop ended with ${signal ?? `code ${code}`}`);
  return outcome;
}

/** How many of the partial messages that may remain are not told by the trace of their message. */
async function countUntraced(stage: Stage, service: LaunchedServer, evidence: Evidence): Promise<number> {
  const api = stage.api(await service.ready);
  let untraced = 0;
  for (const { uuid } of questionsWithRemains(evidence)) {
    const explanation = JSON.stringify(await api.call('GET', `/api/v1/messages/${uuid}/explain`));
    if (!explanation.includes('"partial_remains"')) untraced += 1;
  }
  return untraced;
}
