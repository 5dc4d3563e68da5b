import { present } from '../../lib/clock.ts';
import type { Statistics } from './statistics.ts';
import type { StatisticsStore } from './statistics-store.ts';

/** How long after its last message a session counts as active, milliseconds. */
const activeFor = 30 * 60_000;
/** Longest delay between generating the id of a message and storing it, milliseconds. */
const settlesWithin = 60_000;

/** Activity statistics, counted in the ledger. */
export class StatisticsService {
  readonly #store: StatisticsStore;
  /** Messages received since the start and before a timestamp: final, and counted once. */
  #settled = { until: present(), count: 0 };

  constructor(store: StatisticsStore) {
    this.#store = store;
  }

  async read(): Promise<Statistics> {
    const time = present();
    return { ...(await this.#store.count(time - activeFor)), query_count: await this.#received(time) };
  }

  async #received(time: number): Promise<number> {
    const before = this.#settled;
    const until = Math.max(before.until, time - settlesWithin);
    const count = before.count + (await this.#store.received(before.until, until));
    if (until > this.#settled.until) this.#settled = { until, count };
    return count + (await this.#store.received(until, Number.MAX_SAFE_INTEGER));
  }
}
