import { LRUCache } from 'lru-cache';
import { networkOf } from '../../../lib/network-of.ts';

const windowMs = 60_000;
/** Networks that are counted at the same time. */
const maximumNetworks = 10_000;

/** Limits the requests of each network, in memory. */
export class RequestRate {
  readonly #limit: number;
  readonly #counts = new LRUCache<string, number>({ max: maximumNetworks, ttl: windowMs });

  /** @param limit requests in a minute */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a request. @returns 0, or how many seconds the network has to wait */
  secondsToWait(address: string): number {
    const network = networkOf(address);
    const count = (this.#counts.get(network) ?? 0) + 1;
    const left = this.#counts.getRemainingTTL(network);
    if (count > this.#limit) return Math.max(1, Math.ceil(left / 1000));
    // The window begins with its first request.
    this.#counts.set(network, count, { ttl: count === 1 ? windowMs : left });
    return 0;
  }
}
