import type { components } from '@parley/client';

export type CostShare = components['schemas']['CostShare'];

/** How a figure changed against the span before. Null where there is nothing to compare. */
export type Change = { kind: 'same' } | { kind: 'new' } | { kind: 'share' | 'points'; by: number };

/** Smaller changes would be shown as none: shares as whole percents, points with one decimal. */
const least = { share: 0.005, points: 0.05 };

/** By what share a count changed, 1 for twice as much. */
export function shareOfChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  if (now === before) return { kind: 'same' };
  if (before === 0) return { kind: 'new' };
  const by = (now - before) / before;
  return Math.abs(by) < least.share ? { kind: 'same' } : { kind: 'share', by };
}

/** By how many points of a hundred a percentage changed. */
export function pointsOfChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  const by = now - before;
  return Math.abs(by) < least.points ? { kind: 'same' } : { kind: 'points', by };
}

/** Whether it went up (1), down (-1) or nowhere (0). */
export function directionOf(change: Change): -1 | 0 | 1 {
  if (change.kind === 'same') return 0;
  return change.kind === 'new' || change.by > 0 ? 1 : -1;
}

/** Models that were used and cost nothing because nobody said what they cost. `prices` are names in lower case. */
export function modelsWithoutPrice(shares: readonly CostShare[], prices: ReadonlySet<string>): string[] {
  return shares
    .filter(({ cost, total_tokens, name }) => cost === 0 && total_tokens > 0 && !prices.has(name.toLowerCase()))
    .map(({ name }) => name);
}
