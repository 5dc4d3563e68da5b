import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

describe('a pause that a rate limit names', () => {
  it.each([
    ['seconds', 90, 90_000],
    ['seconds as text', '90', 90_000],
    ['fractions of a second', 2.5, 2500],
    ['zero', 0, 1000],
    ['a negative number', -5, 1000],
    ['a negative number as text', '-5', 1000],
    ['ten days', 864_000, 86_400_000],
    ['infinity', Number.POSITIVE_INFINITY, 86_400_000],
    ['an HTTP date', 'Sun, 22 Nov 2026 12:01:30 GMT', 90_000],
    ['an ISO date', '2026-11-22T12:01:30Z', 90_000],
    ['a date that has passed', 'Sun, 22 Nov 2026 11:00:00 GMT', 1000],
  ])('reads %s', (_, value, milliseconds) => {
    expect(parseRetryAfter(value, now)).toBe(milliseconds);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ' '],
    ['words', 'soon'],
    ['not a number', Number.NaN],
    ['a boolean', true],
    ['an object', { seconds: 3 }],
  ])('finds none in %s', (_, value) => {
    expect(parseRetryAfter(value, now)).toBeNull();
  });
});
