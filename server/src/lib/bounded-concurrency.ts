/** Limits concurrency. Further callers wait in order of arrival, up to a number. */
export class BoundedConcurrency {
  readonly #waiting = new Set<() => void>();
  readonly #longestQueue: number;
  #free: number;

  constructor({ limit, longestQueue }: { limit: number; longestQueue: number }) {
    this.#free = limit;
    this.#longestQueue = longestQueue;
  }

  /**
   * Waits for a slot.
   * @returns releases the slot; further calls do nothing. Null when too many wait already
   * @throws the signal's reason when it is aborted first
   */
  async enter(signal: AbortSignal): Promise<(() => void) | null> {
    signal.throwIfAborted();
    const free = this.enterNow();
    if (free !== null) return free;
    if (this.#waiting.size >= this.#longestQueue) return null;
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      // It may have got a slot at the same time; then it is passed on below.
      this.#waiting.delete(turn.resolve);
      turn.reject(signal.reason);
    };
    this.#waiting.add(turn.resolve);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    return this.#turn();
  }

  /** @returns as {@link enter}; null when no slot is free */
  enterNow(): (() => void) | null {
    if (this.#free === 0) return null;
    this.#free -= 1;
    return this.#turn();
  }

  #turn(): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const next of this.#waiting) {
        this.#waiting.delete(next);
        // The slot is handed over without ever being free, so no other caller can take it.
        return next();
      }
      this.#free += 1;
    };
  }
}
