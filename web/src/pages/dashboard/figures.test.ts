import { expect, it } from 'vitest';
import { type CostShare, directionOf, modelsWithoutPrice, pointsOfChange, shareOfChange } from './figures.ts';

it.each([
  [10, 5, { kind: 'share', by: 1 }, 1],
  [5, 10, { kind: 'share', by: -0.5 }, -1],
  [5, 0, { kind: 'new' }, 1],
  [0, 0, { kind: 'same' }, 0],
  [0, 4, { kind: 'share', by: -1 }, -1],
  [1004, 1000, { kind: 'same' }, 0],
])('%d after %d', (now, before, change, direction) => {
  const found = shareOfChange(now, before);
  expect(found).toEqual(change);
  expect(found && directionOf(found)).toBe(direction);
});

it('percentages change by points', () => {
  expect(pointsOfChange(90, 100)).toEqual({ kind: 'points', by: -10 });
  expect(pointsOfChange(90, 90)).toEqual({ kind: 'same' });
  expect(pointsOfChange(90.04, 90)).toEqual({ kind: 'same' });
});

it('what is not known is not compared', () => {
  expect([shareOfChange(null, 5), shareOfChange(5, null), pointsOfChange(null, null)]).toEqual([null, null, null]);
});

it('models that cost something, have a price or were not used are no gap in the costs', () => {
  const share = (name: string, total_tokens: number, cost: number) => ({ name, total_tokens, cost }) as CostShare;
  const shares = [share('paid', 10, 0.5), share('Free', 10, 0), share('failed', 0, 0), share('unknown', 10, 0)];
  expect(modelsWithoutPrice(shares, new Set(['free']))).toEqual(['unknown']);
});
