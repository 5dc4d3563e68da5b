/** Calls whose duration is kept. */
const keptCalls = 1000;

/** Counts calls of a plugin, and keeps how long the latest ones took. */
export class CallRecord {
  readonly #durations: number[] = [];
  calls = 0;
  failures = 0;

  /** Counts a call that begins. @returns called when it has ended */
  begin(): (failed: boolean) => void {
    const begun = performance.now();
    this.calls += 1;
    return (failed) => {
      if (failed) this.failures += 1;
      this.#durations.push(performance.now() - begun);
      if (this.#durations.length > keptCalls) this.#durations.shift();
    };
  }

  /** Duration that 95% of the latest calls did not exceed, milliseconds; null without any. */
  get p95(): number | null {
    const sorted = this.#durations.toSorted((left, right) => left - right);
    return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
  }
}
