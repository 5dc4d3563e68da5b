import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkerLoop } from './worker-loop.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failed = vi.fn();
const options = { failed, retryDelayMs: 1000 };

it('polls from its start on, when woken, and when work is due', async () => {
  const look = vi.fn(async (): Promise<number | null> => null);
  const loop = new WorkerLoop(look, options);
  loop.wake();
  expect(look).not.toHaveBeenCalled();
  look.mockResolvedValueOnce(500);
  loop.start();
  await vi.advanceTimersByTimeAsync(499);
  expect(look).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(look).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(look).toHaveBeenCalledTimes(2);
  loop.wake();
  expect(look).toHaveBeenCalledTimes(3);
});

it('polls again when woken during a poll, and never concurrently', async () => {
  const looks: PromiseWithResolvers<null>[] = [];
  const loop = new WorkerLoop(() => {
    const look = Promise.withResolvers<null>();
    looks.push(look);
    return look.promise;
  }, options);
  loop.start();
  loop.wake();
  loop.wake();
  expect(looks).toHaveLength(1);
  looks[0]?.resolve(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toHaveLength(2);
  looks[1]?.resolve(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toHaveLength(2);
});

it('polls at least every minute while work is due later', async () => {
  const look = vi.fn(async () => 1_000_000);
  const loop = new WorkerLoop(look, options);
  loop.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(look).toHaveBeenCalledTimes(2);
  await loop.stop();
});

it('reports a failed poll, and retries after a delay', async () => {
  const error = new Error('no connection');
  const look = vi.fn(async () => null).mockRejectedValueOnce(error);
  const loop = new WorkerLoop(look, options);
  loop.start();
  await vi.advanceTimersByTimeAsync(999);
  expect(failed.mock.calls).toEqual([[error]]);
  expect(look).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(look).toHaveBeenCalledTimes(2);
});

it('does not poll after a stop, which waits for the running poll', async () => {
  const look = Promise.withResolvers<number>();
  const looks = vi.fn(() => look.promise);
  const loop = new WorkerLoop(looks, options);
  loop.start();
  let isOver = false;
  const stopped = loop.stop().then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(10);
  expect([isOver, loop.isStopped]).toEqual([false, true]);
  look.resolve(5);
  await stopped;
  loop.wake();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(looks).toHaveBeenCalledTimes(1);
});
