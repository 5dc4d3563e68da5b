import type { components } from '@parley/client';

export type CostShare = components['schemas']['CostShare'];

/** The change of a metric against the previous period. Null without a comparison. */
export type Change = { kind: 'same' } | { kind: 'new' } | { kind: 'share' | 'points'; by: number };

/** Smaller changes would round to zero: shares as whole percents, points with one decimal. */
const least = { share: 0.005, points: 0.05 };

/** The relative change of a count, 1 for a doubling. */
export function shareOfChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  if (now === before) return { kind: 'same' };
  if (before === 0) return { kind: 'new' };
  const by = (now - before) / before;
  return Math.abs(by) < least.share ? { kind: 'same' } : { kind: 'share', by };
}

/** The change of a percentage, in percentage points. */
export function pointsOfChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  const by = now - before;
  return Math.abs(by) < least.points ? { kind: 'same' } : { kind: 'points', by };
}

/** Direction of the change: up (1), down (-1) or none (0). */
export function directionOf(change: Change): -1 | 0 | 1 {
  if (change.kind === 'same') return 0;
  return change.kind === 'new' || change.by > 0 ? 1 : -1;
}

/** Used models without a price. `prices` are lower-case names. */
export function modelsWithoutPrice(shares: readonly CostShare[], prices: ReadonlySet<string>): string[] {
  return shares
    .filter(({ cost, total_tokens, name }) => cost === 0 && total_tokens > 0 && !prices.has(name.toLowerCase()))
    .map(({ name }) => name);
}
