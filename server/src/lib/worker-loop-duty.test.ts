import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkerLoop } from './worker-loop.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a loop looks only while the work is its own, and as soon as it is', async () => {
  let looks = 0;
  let begun = () => {};
  const duty = {
    isOurs: false,
    takeOn: (listener: () => void) => {
      begun = listener;
    },
  };
  const loop = new WorkerLoop({
    look: async () => {
      looks += 1;
      return 1000;
    },
    failed: () => {},
    retryDelayMs: 1000,
    longestPauseMs: 5000,
    duty,
  });
  loop.start();
  loop.wake();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(looks).toBe(0);
  duty.isOurs = true;
  begun();
  await vi.advanceTimersByTimeAsync(2500);
  expect(looks).toBe(3);
  // As during an interruption, whose end is not reported.
  duty.isOurs = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(looks).toBe(3);
  duty.isOurs = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(looks).toBeGreaterThan(3);
  await loop.stop();
});
