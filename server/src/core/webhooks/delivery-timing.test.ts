import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deliveryLifetime, longestRetryAfter, nextAttemptAt, retryAfterMs } from './delivery-timing.ts';

const hour = 3_600_000;

it.each([0, 0.5, 1])('retries for more than a day before it expires, whatever the jitter (%d)', (random) => {
  let now = 0;
  let attempts = 1;
  for (;;) {
    const next = nextAttemptAt(attempts, now, deliveryLifetime, random);
    if (next === null) break;
    expect(next).toBeGreaterThan(now);
    expect(next - now).toBeLessThanOrEqual(1.2 * hour);
    now = next;
    attempts += 1;
  }
  expect(now).toBeGreaterThanOrEqual(24 * hour);
  expect(attempts).toBeLessThan(60);
});

it('tries soon at first, and again within twelve minutes after ten minutes', () => {
  expect(nextAttemptAt(1, 0, deliveryLifetime, 0.5)).toBe(5000);
  expect(nextAttemptAt(2, 0, deliveryLifetime, 0.5)).toBe(10_000);
  let now = 0;
  let attempts = 1;
  while (now < 600_000) {
    now = nextAttemptAt(attempts, now, deliveryLifetime, 1) ?? Number.NaN;
    attempts += 1;
  }
  expect(now).toBeLessThan(1_320_000);
});

it('makes a last attempt when it expires, and none after it', () => {
  expect(nextAttemptAt(20, 0, 1000, 0.5)).toBe(1000);
  expect(nextAttemptAt(20, 1000, 1000, 0.5)).toBeNull();
  expect(nextAttemptAt(1_000_000, 0, Number.MAX_SAFE_INTEGER, 0.5)).toBe(hour);
});

it('parses the requested pause of a receiver within limits, whatever it is', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      const wait = retryAfterMs(header, Date.now());
      if (wait === null) return;
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThanOrEqual(longestRetryAfter);
    }),
  );
  expect(retryAfterMs(null, 0)).toBeNull();
  expect(retryAfterMs('Thu, 01 Jan 1970 00:00:30 GMT', 10_000)).toBe(20_000);
});
