import type { Logger } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { type LoopDuty, WorkerLoop } from '../../lib/worker-loop.ts';
import { addHours, hourOf, startOfNextDay } from './hours.ts';
import type { RollupStore } from './rollup-store.ts';

/**
 * Delay after the end of an hour before it is summed up, milliseconds. A change in it more than 5 minutes after its
 * arrival marks the hour, so a transaction has 10 minutes between these two to end.
 */
const settlesWithin = 15 * 60_000;

/**
 * Sums the ledger up in the background, hour by hour, and recomputes hours that changed later.
 * @param options.interval between rounds, milliseconds; default one minute
 */
export function createRollupKeeper(
  store: RollupStore,
  { logger, interval = 60_000, duty }: { logger: Logger; interval?: number; duty?: LoopDuty },
): WorkerLoop {
  const keeper: WorkerLoop = new WorkerLoop({
    async look() {
      await sumUp(store, present(), () => keeper.isStopped);
      return interval;
    },
    failed(error) {
      if (!keeper.isStopped) logger.error({ error }, 'figures could not be summed up');
    },
    retryDelayMs: interval,
    duty,
  });
  return keeper;
}

/** Sums up everything that can be. */
export async function sumUp(store: RollupStore, present: number, isStopped = () => false): Promise<void> {
  const end = hourOf(new Date(present - settlesWithin).toISOString());
  const until = await store.until();
  // The clock was set back: new records are counted directly until their hours have ended.
  if (until !== null && until > end) await store.setUntil(end);
  await renew(store, end, isStopped);
  await advance(store, end, isStopped);
}

async function renew(store: RollupStore, end: string, isStopped: () => boolean): Promise<void> {
  let last = '';
  while (!isStopped()) {
    const until = await store.until();
    if (until === null) return;
    const hours = await store.markedHours(until < end ? until : end);
    const first = hours[0];
    // The same mark again: the hour is still changing, and is recomputed in the next round.
    if (first === undefined || first === last) return;
    last = first;
    await replaceHours(store, hours, () => until, isStopped);
  }
}

async function advance(store: RollupStore, end: string, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const until = await store.until();
    const first = await store.firstTimestamp(until);
    // Skips empty hours in one step.
    const start = first === null || first >= end ? end : hourOf(first);
    if (start >= end) {
      if (until !== null && until < end) await store.setUntil(end);
      if (until === null && first !== null) await store.setUntil(end);
      return;
    }
    const next = startOfNextDay(start) < end ? startOfNextDay(start) : end;
    const hours: string[] = [];
    for (let hour = start; hour < next; hour = addHours(hour, 1)) hours.push(hour);
    await replaceHours(store, hours, (hour) => addHours(hour, 1), isStopped);
  }
}

/** @param untilAfter up to where everything is summed up when an hour is */
async function replaceHours(
  store: RollupStore,
  hours: readonly string[],
  untilAfter: (hour: string) => string,
  isStopped: () => boolean,
): Promise<void> {
  const { rollups, marks } = await store.count(hours);
  for (const hour of hours) {
    if (isStopped()) return;
    await store.replace(
      hour,
      rollups.filter(({ start }) => start === hour),
      marks.filter((mark) => mark.hour === hour),
      untilAfter(hour),
    );
  }
}
