import { type Logger, ParleyError } from '@parley/sdk';
import { now, secondsFromNow } from '../../lib/clock.ts';
import type { BegunRequest, IdempotencyStore, RequestName, StoredResponse } from './idempotency-store.ts';

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

  /** To be called before requests arrive: the outcome of requests that dead replicas left unfinished is unknown. */
  async open(): Promise<void> {
    const requests = await this.#store.interruptAbandoned();
    if (requests > 0) this.#logger.warn({ requests }, 'requests with an idempotency key were interrupted');
  }

  /**
   * @param hash of the content of the request
   * @returns the stored response, or the request when it is to be executed, and then finished or forgotten
   * @throws ParleyError `idempotency_mismatch`, `idempotency_running` or `idempotency_interrupted`
   */
  async begin(name: RequestName, hash: string): Promise<{ answer: StoredResponse } | { begun: BegunRequest }> {
    const earlier = await this.#store.begin(name, hash, now(), secondsFromNow(-retentionSeconds));
    if (typeof earlier === 'number') return { begun: { ...name, claim: earlier } };
    if (earlier.hash !== hash) {
      throw new ParleyError('idempotency_mismatch', 'The idempotency key was used before, with another request');
    }
    if (earlier.answer !== null) return { answer: earlier.answer };
    throw earlier.state === 'running'
      ? new ParleyError('idempotency_running', 'The first request with this idempotency key is still running')
      : new ParleyError(
          'idempotency_interrupted',
          'The server stopped during the first request with this idempotency key: check its effect, then use another key',
        );
  }

  /** Keeps the answer, unless the request was taken over. */
  finish(request: BegunRequest, answer: StoredResponse): Promise<void> {
    return this.#store.finish(request, answer);
  }

  /** The request failed in a way that a retry may not. */
  forget(request: BegunRequest): Promise<void> {
    return this.#store.forget(request);
  }

  /** Removes expired responses. @returns how many, at most `limit` */
  prune(limit: number): Promise<number> {
    return this.#store.removeBefore(secondsFromNow(-retentionSeconds), limit);
  }
}
