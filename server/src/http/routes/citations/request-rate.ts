import { LRUCache } from 'lru-cache';
import { networkOf } from '../../../lib/network-of.ts';

const windowMs = 60_000;
/** Networks that are counted at the same time. */
const maximumNetworks = 10_000;

/** Limits the requests of each network, in memory. */
export class RequestRate {
  readonly #limit: number;
  readonly #windows = new LRUCache<string, { count: number; endsAt: number }>({ max: maximumNetworks });

  /** @param limit requests in a minute */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a request. @returns 0, or how many seconds the network has to wait */
  secondsToWait(address: string): number {
    const network = networkOf(address);
    const now = performance.now();
    const known = this.#windows.get(network);
    // A window begins with its first request.
    const window = known === undefined || known.endsAt <= now ? { count: 0, endsAt: now + windowMs } : known;
    if (window.count >= this.#limit) return Math.ceil((window.endsAt - now) / 1000);
    window.count += 1;
    this.#windows.set(network, window);
    return 0;
  }
}
