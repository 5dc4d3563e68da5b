/** Limits concurrency; further callers wait in order of arrival. */
export class ConcurrencyLimit {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param limit at least 1 */
  constructor(limit: number) {
    this.#free = Math.max(1, limit);
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      // The slot is handed over without ever being free, so no other caller can take it.
      else next();
    }
  }
}
