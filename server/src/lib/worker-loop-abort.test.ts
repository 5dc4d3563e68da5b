import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WorkerLoop } from './worker-loop.ts';

it('A worker loop aborts the jobs that run, and starts others', async () => {
  const signals: AbortSignal[] = [];
  const loop = new WorkerLoop({
    look: async () => {
      if (loop.hasRoom) {
        void loop.run(async (signal) => {
          signals.push(signal);
          await once(signal, 'abort');
        });
      }
      return null;
    },
    failed: () => {},
    retryDelayMs: 5,
  });
  loop.start();
  await expect.poll(() => signals.length).toBe(1);
  loop.abort();
  await expect.poll(() => signals.length).toBe(2);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(await loop.stop(0)).toBe(true);
});
