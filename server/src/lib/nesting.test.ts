import { expect, it } from 'vitest';
import { isDeeperThan } from './nesting.ts';

const nested = (depth: number): unknown =>
  depth === 0 ? 'text' : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };

it.each([0, 1, 2, 7])('counts %i levels', (depth) => {
  expect(isDeeperThan(nested(depth), depth)).toBe(false);
  expect(isDeeperThan(nested(depth + 1), depth)).toBe(true);
});

it('finds the deepest place', () => {
  expect(isDeeperThan([1, null, { a: [], b: [{}] }, []], 4)).toBe(false);
  expect(isDeeperThan([1, null, { a: [], b: [{}] }, []], 3)).toBe(true);
});

it('looks no deeper than it has to', () => {
  expect(isDeeperThan(JSON.parse('['.repeat(500_000) + ']'.repeat(500_000)), 100)).toBe(true);
});
