import { expect, it } from 'vitest';
import { median, percentile, slope } from './statistics.ts';

it('finds the middle, high shares and the rise of a line', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect(median(values)).toBe(100.5);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 100, 198, 200]);
  const points = [1, 2, 3, 4].map((x) => ({ x, y: 7 - 2 * x }));
  expect(slope(points)).toBeCloseTo(-2);
});

it('has no answer where there is none', () => {
  for (const attempt of [() => median([]), () => percentile([], 0.5), () => slope([{ x: 1, y: 1 }])]) {
    expect(attempt).toThrow(RangeError);
  }
});
