import { expect, it } from 'vitest';
import { SeenNonces } from './seen-nonces.ts';

it('a nonce is used once until it is forgotten', () => {
  const seen = new SeenNonces(100);
  expect(seen.use('a', 0)).toBe(true);
  expect(seen.use('a', 99)).toBe(false);
  expect(seen.has('a')).toBe(true);
  expect(seen.use('b', 100)).toBe(true);
  expect(seen.has('a')).toBe(false);
  expect(seen.use('a', 100)).toBe(true);
});

it('none is taken that could not be remembered', () => {
  const seen = new SeenNonces(100, 2);
  expect([seen.use('a', 0), seen.use('b', 50), seen.use('c', 99)]).toEqual([true, true, false]);
  expect(seen.use('c', 100)).toBe(true);
});
