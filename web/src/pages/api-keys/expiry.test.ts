import { expect, it } from 'vitest';
import { expiryOf, expiryState } from './expiry.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

it('tells when a key ends', () => {
  expect(expiryOf('never', '', now)).toBeNull();
  expect(expiryOf('30', '', now)).toBe('2026-03-31T12:00:00.000Z');
  expect(expiryOf('own', '2026-05-01', now)).toBe(new Date('2026-05-01T23:59:59').toISOString());
});

it('takes no day that is missing or over', () => {
  expect(expiryOf('own', '', now)).toBeUndefined();
  expect(expiryOf('own', '2026-02-27', now)).toBeUndefined();
});

it('marks what ends soon and what has ended', () => {
  expect(expiryState(null, now)).toBe('never');
  expect(expiryState('2026-06-01T00:00:00Z', now)).toBe('valid');
  expect(expiryState('2026-03-10T00:00:00Z', now)).toBe('soon');
  expect(expiryState('2026-03-01T12:00:00Z', now)).toBe('expired');
});
