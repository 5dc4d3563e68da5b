import { untilAborted } from '../../lib/waiting.ts';
import { rateLimited } from '../failures/rate-limited.ts';

/** Limits that are remembered before those that are over are forgotten. */
const rememberedLimits = 1000;

export interface CallLimitsOptions {
  /** Longest pause that a call waits for; longer ones are refused with a rate limit. Milliseconds. Default 5000. */
  longestWaitMs?: number;
}

/** The rate limits that a platform has named so far, for one account. Uses the monotonic clock. */
export class CallLimits {
  readonly #longestWait: number;
  /** Until when calls of a limit pause. */
  readonly #until = new Map<string, number>();
  #allUntil = 0;

  constructor({ longestWaitMs = 5000 }: CallLimitsOptions = {}) {
    this.#longestWait = longestWaitMs;
  }

  /** No call of a limit is made for a while. */
  pause(limit: string, milliseconds: number): void {
    const present = performance.now();
    if (this.#until.size >= rememberedLimits) {
      for (const [known, until] of this.#until) if (until <= present) this.#until.delete(known);
    }
    this.#until.set(limit, Math.max(this.#until.get(limit) ?? 0, present + milliseconds));
  }

  /** No call at all is made for a while. */
  pauseAll(milliseconds: number): void {
    this.#allUntil = Math.max(this.#allUntil, performance.now() + milliseconds);
  }

  /**
   * Waits until a call may be made.
   * @throws DeliveryError `not_sent`, `quota` with the rest of a pause that is too long to wait for; the signal's reason
   */
  async wait(limit: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const present = performance.now();
      const inAll = this.#allUntil - present;
      const pauseMs = Math.ceil(Math.max(inAll, (this.#until.get(limit) ?? 0) - present));
      if (pauseMs <= 0) return;
      if (pauseMs > this.#longestWait) {
        throw rateLimited('The platform limits the rate of calls', { pauseMs, scope: inAll > 0 ? 'bot' : 'chat' });
      }
      const turn = Promise.withResolvers<void>();
      const timer = setTimeout(turn.resolve, pauseMs);
      try {
        await untilAborted(turn.promise, signal);
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
