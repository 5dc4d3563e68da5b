import { silentLogger } from '@parley/sdk/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { createHousekeepingLoop } from './housekeeping.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A chore with this much to delete, which records the limits it was called with. */
function choreWith(amount: number) {
  const removed: number[] = [];
  const chore = async (limit: number) => {
    const now = Math.min(limit, amount - removed.reduce((sum, number) => sum + number, 0));
    removed.push(now);
    return now;
  };
  return { chore, removed };
}

it('deletes everything at start, in batches, and runs again every hour', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const [much, little] = [choreWith(1200), choreWith(3)];
  const housekeeping = createHousekeepingLoop({ much: much.chore, little: little.chore }, silentLogger);
  housekeeping.start();
  await vi.waitFor(() => expect(little.removed).toEqual([3]));
  expect(much.removed).toEqual([500, 500, 200]);
  vi.advanceTimersByTime(3_600_000);
  await vi.waitFor(() => expect(little.removed).toEqual([3, 0]));
  await housekeeping.stop();
  vi.advanceTimersByTime(7_200_000);
  await housekeeping.stop();
  expect(little.removed).toEqual([3, 0]);
});

it('continues with the next when one fails, and logs it', async () => {
  const errors: unknown[] = [];
  const logger = { ...silentLogger, error: (fields: unknown) => void errors.push(fields) };
  const after = choreWith(1);
  const fails = () => Promise.reject(new Error('the database is away'));
  const housekeeping = createHousekeepingLoop({ fails, after: after.chore }, logger);
  housekeeping.start();
  await vi.waitFor(() => expect(after.removed).toEqual([1]));
  expect(errors).toMatchObject([{ chore: 'fails' }]);
  await housekeeping.stop();
});

it('waits for the step that runs when it is stopped, and takes no other', async () => {
  const step = Promise.withResolvers<number>();
  let steps = 0;
  const housekeeping = createHousekeepingLoop(
    {
      endless: () => {
        steps += 1;
        return step.promise;
      },
    },
    silentLogger,
  );
  housekeeping.start();
  await vi.waitFor(() => expect(steps).toBe(1));
  let stopped = false;
  const stop = housekeeping.stop().then(() => {
    stopped = true;
  });
  await Promise.resolve();
  expect(stopped).toBe(false);
  step.resolve(500);
  await stop;
  expect(steps).toBe(1);
});

it('does nothing after a stop', async () => {
  const chore = choreWith(1);
  const housekeeping = createHousekeepingLoop({ chore: chore.chore }, silentLogger);
  await housekeeping.stop();
  housekeeping.start();
  await housekeeping.stop();
  expect(chore.removed).toEqual([]);
});
