import type { Logger } from '@parley/sdk';
import { WorkerLoop } from '../../lib/worker-loop.ts';
import { addHours, hourOf, startOfNextDay } from './hours.ts';
import type { RollupStore } from './rollup-store.ts';

/** Interval between rounds, milliseconds. */
const defaultInterval = 60_000;
/**
 * Delay after the end of an hour before it is summed up, milliseconds. A change in it more than 5 minutes after its
 * arrival marks the hour, so a transaction has 10 minutes between these two to end.
 */
const settlesWithin = 15 * 60_000;

/** Sums the ledger up in the background, hour by hour, and recomputes hours that changed later. */
export class RollupKeeper {
  readonly #store: RollupStore;
  readonly #loop: WorkerLoop;

  constructor(store: RollupStore, { logger, interval = defaultInterval }: { logger: Logger; interval?: number }) {
    this.#store = store;
    this.#loop = new WorkerLoop({
      look: async () => {
        await this.round();
        return interval;
      },
      failed: (error) => {
        if (!this.#loop.isStopped) logger.error({ error }, 'figures could not be summed up');
      },
      retryDelayMs: interval,
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Waits for the hour that is being summed up. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** Sums up everything that can be. */
  async round(present: number = Date.now()): Promise<void> {
    const end = hourOf(new Date(present - settlesWithin).toISOString());
    const until = await this.#store.until();
    // The clock was set back: new records are counted directly until their hours have ended.
    if (until !== null && until > end) await this.#store.setUntil(end);
    await this.#renew(end);
    await this.#advance(end);
  }

  async #renew(end: string): Promise<void> {
    let last = '';
    while (!this.#loop.isStopped) {
      const until = await this.#store.until();
      if (until === null) return;
      const hours = await this.#store.markedHours(until < end ? until : end);
      const first = hours[0];
      // The same mark again: the hour is still changing, and is recomputed in the next round.
      if (first === undefined || first === last) return;
      last = first;
      await this.#sumUp(hours, () => until);
    }
  }

  async #advance(end: string): Promise<void> {
    while (!this.#loop.isStopped) {
      const until = await this.#store.until();
      const first = await this.#store.firstTimestamp(until);
      // Skips empty hours in one step.
      const start = first === null || first >= end ? end : hourOf(first);
      if (start >= end) {
        if (until !== null && until < end) await this.#store.setUntil(end);
        if (until === null && first !== null) await this.#store.setUntil(end);
        return;
      }
      const next = startOfNextDay(start) < end ? startOfNextDay(start) : end;
      const hours: string[] = [];
      for (let hour = start; hour < next; hour = addHours(hour, 1)) hours.push(hour);
      await this.#sumUp(hours, (hour) => addHours(hour, 1));
    }
  }

  /** @param untilAfter up to where everything is summed up when an hour is */
  async #sumUp(hours: readonly string[], untilAfter: (hour: string) => string): Promise<void> {
    const { rollups, marks } = await this.#store.count(hours);
    for (const hour of hours) {
      if (this.#loop.isStopped) return;
      await this.#store.replace(
        hour,
        rollups.filter(({ start }) => start === hour),
        marks.filter((mark) => mark.hour === hour),
        untilAfter(hour),
      );
    }
  }
}
