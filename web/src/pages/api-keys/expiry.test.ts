import { expect, it, vi } from 'vitest';
import { expiryOf, expiryState } from './expiry.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

it('tells when a key ends', () => {
  expect(expiryOf('never', '', now)).toBeNull();
  expect(expiryOf('30', '', now)).toBe('2026-03-31T12:00:00.000Z');
  expect(expiryOf('own', '2026-05-01', now)).toBe(new Date('2026-05-01T23:59:59').toISOString());
});

it.each([
  ['America/New_York', '2026-03-08', '2026-03-09T03:59:59.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-02T04:59:59.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-29T21:59:59.000Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-25T22:59:59.000Z'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-05T13:29:59.000Z'],
  // The clocks show the last hour of the day twice.
  ['America/Santiago', '2026-04-04', '2026-04-05T03:59:59.000Z'],
  // The next day has no first hour, and this one as well.
  ['America/Santiago', '2026-09-05', '2026-09-06T03:59:59.000Z'],
  ['America/Santiago', '2026-09-06', '2026-09-07T02:59:59.000Z'],
  // The next day has two first hours.
  ['America/Havana', '2026-10-31', '2026-11-01T03:59:59.000Z'],
  ['Pacific/Kiritimati', '2026-12-31', '2026-12-31T09:59:59.000Z'],
])('a key in %s is valid until the end of %s', (zone, day, end) => {
  vi.stubEnv('TZ', zone);
  expect(expiryOf('own', day, 0)).toBe(end);
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
