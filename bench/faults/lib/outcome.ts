import { type Evidence, judge, type Verdict } from '../judge.ts';

/** Judges each bot by itself. */
export function verdictsOf(evidence: Evidence, bots: readonly { name: string }[]): Record<string, Verdict> {
  return Object.fromEntries(bots.map(({ name }) => [name, judge(evidence, [name])]));
}

/** The sum of some verdicts. */
export function totalOf(verdicts: readonly Verdict[]): Verdict {
  const total = judge({
    record: { questions: [], sends: [], visible: [], conflicts: [] },
    listed: [],
    incidents: [],
    modelCalls: {},
  });
  for (const verdict of verdicts) {
    for (const key of Object.keys(total) as (keyof Verdict)[]) total[key] += verdict[key];
  }
  return total;
}

/** One sentence for each figure of some verdicts that ought to be 0. */
export function faultsOf(verdicts: Record<string, Verdict>, figures: readonly (keyof Verdict)[]): string[] {
  return Object.entries(verdicts).flatMap(([bot, verdict]) =>
    figures.filter((figure) => verdict[figure] > 0).map((figure) => `${bot}: ${figure} ${verdict[figure]}`),
  );
}

/** What ought to be 0 whatever is done to a service. */
export const neverFigures = [
  'lost',
  'repeated',
  'partial',
  'reordered',
  'failed',
  'ended_by_store',
  'gaps',
  'unfounded',
  'excessive',
  'notices',
] as const satisfies (keyof Verdict)[];
