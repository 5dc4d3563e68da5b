import { expect, test } from 'vitest';
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
