/** Knows what is under way under a name, so that whoever takes something away can wait for those who use it. */
export class InFlight {
  readonly #running = new Map<string, Set<Promise<unknown>>>();

  async run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(name) ?? new Set();
    this.#running.set(name, running);
    const run = work();
    running.add(run);
    try {
      return await run;
    } finally {
      running.delete(run);
      if (running.size === 0 && this.#running.get(name) === running) this.#running.delete(name);
    }
  }

  /** Waits for what is under way at this moment, whatever comes of it. What begins later is not waited for. */
  async settled(name: string): Promise<void> {
    await Promise.allSettled(this.#running.get(name) ?? []);
  }
}
