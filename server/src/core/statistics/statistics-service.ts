import type { Statistics } from './statistics.ts';
import type { StatisticsStore } from './statistics-store.ts';

/** How long after its last message a session counts as active, milliseconds. */
const activeFor = 30 * 60_000;

/** How much goes on, counted in the ledger. */
export class StatisticsService {
  readonly #store: StatisticsStore;
  readonly #startedAt = Date.now();

  constructor(store: StatisticsStore) {
    this.#store = store;
  }

  read(): Promise<Statistics> {
    return this.#store.count({ activeSince: Date.now() - activeFor, receivedSince: this.#startedAt });
  }
}
