import { type Logger, ParleyError } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import type { IdempotencyStore, RequestName, StoredResponse } from './idempotency-store.ts';

/** How long an answer is kept. */
const retentionSeconds = 86_400;

/** Carries requests out once, however often they are sent: what was answered is answered again. */
export class IdempotencyService {
  readonly #store: IdempotencyStore;
  readonly #logger: Logger;

  constructor(store: IdempotencyStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** To be called before requests come: what an earlier run left unfinished has an outcome that nobody knows. */
  async open(): Promise<void> {
    const requests = await this.#store.interruptRunning();
    if (requests > 0) this.#logger.warn({ requests }, 'requests with an idempotency key were interrupted');
  }

  /**
   * @param hash of what the request holds
   * @returns what was answered before, or null when the request is to be carried out, and then finished or forgotten
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
          'The server stopped during the first request with this idempotency key: look what it did, then use another key',
        );
  }

  /** Keeps the answer. */
  finish(name: RequestName, answer: StoredResponse): Promise<void> {
    return this.#store.finish(name, answer);
  }

  /** The request failed in a way that another attempt may not. */
  forget(name: RequestName): Promise<void> {
    return this.#store.forget(name);
  }

  /** Removes what is kept no longer. @returns how many, at most `limit` */
  prune(limit: number): Promise<number> {
    return this.#store.removeBefore(secondsFromNow(-retentionSeconds), limit);
  }
}
