import type { components } from '@parley/client';

export type CostShare = components['schemas']['CostShare'];

/** How a figure changed against the span before. Null where there is nothing to compare. */
export type Change = { kind: 'same' } | { kind: 'new' } | { kind: 'share' | 'points'; by: number };

/** By what share a count changed, 1 for twice as much. */
export function shareOfChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  if (now === before) return { kind: 'same' };
  return before === 0 ? { kind: 'new' } : { kind: 'share', by: (now - before) / before };
}

/** By how many points of a hundred a percentage changed. */
export function pointsOfChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  return now === before ? { kind: 'same' } : { kind: 'points', by: now - before };
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
