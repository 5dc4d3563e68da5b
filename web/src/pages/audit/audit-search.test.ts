import { expect, test, vi } from 'vitest';
import { auditQuery, auditSearch } from './audit-search.ts';

test('an address is read as far as it makes sense', () => {
  expect(
    auditSearch({ actor: 7, kind: 'bot', action: '', since: '2026-11-01', until: 'soon', entry: '12', other: 'x' }),
  ).toEqual({ actor: '7', kind: 'bot', since: '2026-11-01', entry: 12 });
  expect(auditSearch({ entry: -1, record: {} })).toEqual({});
});

test('the last day counts whole', () => {
  const { since, until } = auditQuery({ since: '2026-11-20', until: '2026-11-20' });
  expect(since).toBe(new Date(2026, 10, 20).toISOString());
  expect(until).toBe(new Date(2026, 10, 21).toISOString());
});

test.each([
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', '2026-10-04T13:00:00.000Z'],
  // The first has its last hour twice, the second has no first one.
  ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', '2026-04-05T04:00:00.000Z'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
])('in %s the day %s lasts from %s to %s', (zone, day, since, until) => {
  vi.stubEnv('TZ', zone);
  expect(auditQuery({ since: day, until: day })).toEqual({ since, until });
});
