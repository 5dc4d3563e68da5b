import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RequestRate } from './request-rate.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('refuses more than the limit in a minute, of each network by itself', () => {
  const rate = new RequestRate(2);
  const ask = (address = '192.0.2.1') => rate.secondsToWait(address);
  expect([ask(), ask()]).toEqual([0, 0]);
  vi.advanceTimersByTime(20_000);
  expect(ask()).toBe(40);
  expect(ask('192.0.2.2')).toBe(0);
  expect(ask('2001:db8::1')).toBe(0);
  expect(ask('2001:db8::2')).toBe(0);
  expect(ask('2001:db8::3')).toBeGreaterThan(0);
  vi.advanceTimersByTime(40_001);
  expect([ask(), ask()]).toEqual([0, 0]);
  expect(ask()).toBe(60);
});
