/** Tracks running work by name, so that a resource can be removed after its users have finished. */
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

  /** Waits for work that is running now, whatever its result. Later work is not awaited. */
  async settled(name: string): Promise<void> {
    await Promise.allSettled(this.#running.get(name) ?? []);
  }
}
