import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { now, secondsFromNow } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
});
afterEach(() => {
  vi.useRealTimers();
});

it('gives the present, whether it moves forward, stays or is set back', () => {
  expect([now(), now()]).toEqual(['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z']);
  vi.advanceTimersByTime(1);
  expect(now()).toBe('2026-01-02T03:04:05.679Z');
  vi.setSystemTime(0);
  expect(now()).toBe('1970-01-01T00:00:00.000Z');
});

it('gives timestamps before and after it', () => {
  expect(secondsFromNow(0.5)).toBe('2026-01-02T03:04:06.178Z');
  expect(secondsFromNow(-5)).toBe('2026-01-02T03:04:00.678Z');
});
