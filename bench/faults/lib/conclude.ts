import type { LaunchedServer } from '../../lib/server-process.ts';
import type { Evidence } from '../judge.ts';
import type { ScenarioOutcome } from '../scenario.ts';
import { faultsOf, neverFigures, verdictsOf } from './outcome.ts';
import type { Stage } from './stage.ts';

/** Waits until everything is answered, stops the service and judges each bot. */
export async function conclude(
  stage: Stage,
  service: LaunchedServer,
  patienceSeconds: number,
): Promise<ScenarioOutcome & { evidence: Evidence }> {
  const begun = performance.now();
  const isDrained = await stage.drained(service, patienceSeconds);
  const drain_seconds = Math.round((performance.now() - begun) / 1000);
  const evidence = await stage.evidence(service);
  const { code, signal } = await stage.terminate(service);
  const verdicts = verdictsOf(evidence, stage.bots);
  const problems = faultsOf(verdicts, neverFigures);
  if (!isDrained) problems.push(`not everything was answered within ${patienceSeconds} s`);
  if (code !== 0) problems.push(`the last stop ended with ${signal ?? `code ${code}`}`);
  return { verdicts, figures: { drain_seconds }, problems, evidence };
}
