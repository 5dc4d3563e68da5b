import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { elapsed } from './elapsed.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

it.each([10, -10])('elapsed time does not move when the clock is set by %d minutes', (minutes) => {
  const before = elapsed();
  vi.setSystemTime(Date.now() + minutes * 60_000);
  const passed = elapsed() - before;
  expect(passed).toBeGreaterThanOrEqual(0);
  expect(passed).toBeLessThan(60_000);
});
