import { expect, it } from 'vitest';
import { closedWindowOf, localTimestamp, rangeSearch, windowBefore, windowOf } from './time-range.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');

it.each([
  [{}, {}],
  [{ range: 'year' }, {}],
  [{ range: '7d', from: '2026-01-01T00:00:00.000Z' }, { range: '7d' }],
  [
    { range: 'own', from: '2026-01-01T01:00:00+01:00', to: 'soon' },
    { range: 'own', from: '2026-01-01T00:00:00.000Z' },
  ],
  [{ range: 'own', from: 5, to: '+012026-01-01T00:00:00Z' }, { range: 'own' }],
])('%j in an address is %j', (given, read) => {
  expect(rangeSearch(given)).toEqual(read);
});

it('a range that ends now has no end of its own, so that what comes is in it', () => {
  expect(windowOf({ range: '24h' }, now)).toEqual({ from: '2026-11-20T12:00:00.000Z', to: undefined });
  expect(windowOf({}, now)).toEqual({ from: undefined, to: undefined });
});

it('a compared range has two ends, and the previous period has the same length and no overlap', () => {
  const window = closedWindowOf({ range: '7d' }, now);
  expect(window).toEqual({ from: '2026-11-14T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z' });
  expect(windowBefore(window)).toEqual({ from: '2026-11-07T12:00:00.000Z', to: '2026-11-14T11:59:59.999Z' });
  expect(closedWindowOf({ range: 'own', to: '2026-01-02T00:00:00.000Z' }, now)).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-02T00:00:00.000Z',
  });
});

it('a window that ends before it begins is empty', () => {
  const window = closedWindowOf(
    { range: 'own', from: '2026-05-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' },
    now,
  );
  expect(window.from).toBe(window.to);
  expect(windowBefore({ from: '1970-01-01T00:00:00.000Z', to: '1980-01-01T00:00:00.000Z' }).from).toBe(
    '1970-01-01T00:00:00.000Z',
  );
});

it('a field of the browser shows local time', () => {
  const local = localTimestamp('2026-11-21T12:34:56.000Z');
  expect(new Date(local).toISOString()).toBe('2026-11-21T12:34:00.000Z');
  expect(localTimestamp(undefined)).toBe('');
});
