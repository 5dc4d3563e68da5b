import { type Logger, ParleyError } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import type { IdempotencyStore, RequestName, StoredResponse } from './idempotency-store.ts';

/** How long a response is stored. */
const retentionSeconds = 86_400;

/** Executes requests once, however often they are sent: a repeated request gets the stored response. */
export class IdempotencyService {
  readonly #store: IdempotencyStore;
  readonly #logger: Logger;

  constructor(store: IdempotencyStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** To be called before requests arrive: the outcome of requests that an earlier run left unfinished is unknown. */
  async open(): Promise<void> {
    const requests = await this.#store.interruptRunning();
    if (requests > 0) this.#logger.warn({ requests }, 'requests with an idempotency key were interrupted');
  }

  /**
   * @param hash of the content of the request
   * @returns the stored response, or null when the request is to be executed, and then finished or discarded
   * @throws ParleyError `idempotency_mismatch`, `idempotency_running` or `idempotency_interrupted`
   */
  async begin(name: RequestName, hash: string): Promise<StoredResponse | null> {
    const earlier = await this.#store.begin(name, hash, now(), secondsFromNow(-retentionSeconds));
    if (earlier === null) return null;
    if (earlier.hash !== hash) {
      throw new ParleyError('idempotency_mismatch', 'The idempotency key was used before, with another request');
    }
    if (earlier.answer !== null) return earlier.answer;
    throw earlier.state === 'running'
      ? new ParleyError('idempotency_running', 'The first request with this idempotency key is still running')
      : new ParleyError(
          'idempotency_interrupted',
          'The server stopped during the first request with this idempotency key: check its effect, then use another key',
        );
  }

  /** Keeps the answer. */
  finish(name: RequestName, answer: StoredResponse): Promise<void> {
    return this.#store.finish(name, answer);
  }

  /** The request failed in a way that a retry may not. */
  forget(name: RequestName): Promise<void> {
    return this.#store.forget(name);
  }

  /** Removes expired responses. @returns how many, at most `limit` */
  prune(limit: number): Promise<number> {
    return this.#store.removeBefore(secondsFromNow(-retentionSeconds), limit);
  }
}
