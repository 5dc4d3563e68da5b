/** Longest time between two looks while something is due later, milliseconds. Clocks jump. */
const longestPause = 60_000;

export interface WorkerLoopOptions {
  /** Called after a failed poll; the next one follows after the delay. */
  failed: (error: unknown) => void;
  retryDelayMs: number;
}

/**
 * Polls for work when woken and when the next work is due: one poll at a time, and another one when woken during a
 * poll.
 */
export class WorkerLoop {
  readonly #look: () => Promise<number | null>;
  readonly #options: WorkerLoopOptions;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #again = false;
  #started = false;
  #stopped = false;

  /** @param look polls; returns the time until the next work is due, milliseconds; null to wait for a wake-up */
  constructor(look: () => Promise<number | null>, options: WorkerLoopOptions) {
    this.#look = look;
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  start(): void {
    this.#started = true;
    this.wake();
  }

  /** There may be work. Until the start, it waits. */
  wake(): void {
    if (this.#stopped || !this.#started) return;
    if (this.#looking !== null) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#looking = this.#look()
      .then((pause) => {
        if (pause !== null) this.#wakeIn(Math.min(Math.max(pause, 0), longestPause));
      })
      .catch((error: unknown) => {
        this.#options.failed(error);
        this.#wakeIn(this.#options.retryDelayMs);
      })
      .finally(() => {
        this.#looking = null;
        if (!this.#again) return;
        this.#again = false;
        this.wake();
      });
  }

  /** Ends polling. Waits for the running poll. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking;
    clearTimeout(this.#timer);
  }

  #wakeIn(milliseconds: number): void {
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), milliseconds);
  }
}
