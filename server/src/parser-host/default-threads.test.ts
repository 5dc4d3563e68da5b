import { expect, it } from 'vitest';
import { availableMemory, defaultThreadCount } from './default-threads.ts';

it.each([
  [0, 1],
  [1_999_999_999, 1],
  [2_000_000_000, 2],
  [64_000_000_000, 2],
])('with %i bytes of memory are %i', (bytes, expected) => {
  expect(defaultThreadCount(bytes)).toBe(expected);
});

it('know how much memory there is', () => {
  expect(availableMemory()).toBeGreaterThan(100_000_000);
  expect(availableMemory()).toBeLessThan(2 ** 50);
});
