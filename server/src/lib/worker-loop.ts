import { inTime, pause } from './waiting.ts';

export interface WorkerLoopOptions {
  /**
   * Looks for work, and does it or starts it with {@link WorkerLoop.run}. One look at a time.
   * @returns time until the next work is due, milliseconds; null to wait for a wake-up
   */
  look(loop: WorkerLoop): Promise<number | null>;
  /** Receives what a look or a job throws. */
  failed(error: unknown): void;
  /** Time until the next look after a failed one, milliseconds. */
  retryDelayMs: number;
  /** The longest such time, which doubles with each failure; default `retryDelayMs`. */
  longestRetryDelayMs?: number;
  /** Jobs at the same time, also as it is at present; default 1. */
  concurrency?: number | (() => number);
  /** Longest time between two looks while work is due later, milliseconds; default one minute. Clocks jump. */
  longestPauseMs?: number;
  /** It looks only while the work is its own; default always. */
  duty?: LoopDuty | undefined;
}

/** Work that others may do instead. */
export interface LoopDuty {
  readonly isOurs: boolean;
  /** Called at the start. @param begun to be called whenever the work is its own from now on */
  takeOn(begun: () => void): void;
}

/** Work that only this process does. */
export const ownDuty: LoopDuty = { isOurs: true, takeOn: () => {} };

/** Looks for work when woken and when the next work is due, and runs jobs, several at the same time. */
export class WorkerLoop {
  readonly #options: Required<Omit<WorkerLoopOptions, 'duty'>> & { duty: LoopDuty };
  readonly #jobs = new Set<Promise<void>>();
  /** Jobs that have a place. */
  #placed = 0;
  readonly #stopping = new AbortController();
  #aborting = new AbortController();
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isWoken = false;
  /** No look before this `performance.now()`. */
  #pausedUntil = 0;
  #retryDelay: number;

  constructor(options: WorkerLoopOptions) {
    const { retryDelayMs } = options;
    this.#options = {
      longestRetryDelayMs: retryDelayMs,
      concurrency: 1,
      longestPauseMs: 60_000,
      ...options,
      duty: options.duty ?? ownDuty,
    };
    this.#retryDelay = retryDelayMs;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Whether another job may start. */
  get hasRoom(): boolean {
    return this.room > 0;
  }

  /** How many more jobs may start. */
  get room(): number {
    if (this.isStopped || this.#delayLeft > 0) return 0;
    const { concurrency } = this.#options;
    return Math.max(0, (typeof concurrency === 'number' ? concurrency : concurrency()) - this.#placed);
  }

  get #delayLeft(): number {
    return this.#pausedUntil - performance.now();
  }

  start(): void {
    this.#isStarted = true;
    this.#options.duty.takeOn(() => this.wake());
    this.wake();
  }

  /** There may be work. Until the start, and while the loop backs off, it waits. */
  wake(): void {
    if (this.isStopped || !this.#isStarted) return;
    this.#isWoken = true;
    if (this.#looking !== null) return;
    if (this.#delayLeft > 0) this.#wakeIn(this.#delayLeft);
    else this.#begin();
  }

  /** Delays the next look, as after a failed one; until then there is no room for jobs. */
  backOff(): void {
    if (this.#delayLeft > 0) return;
    this.#pausedUntil = performance.now() + this.#retryDelay;
    this.#retryDelay = Math.min(2 * this.#retryDelay, this.#options.longestRetryDelayMs);
    this.wake();
  }

  /** Ends a delay: what failed works again. */
  resume(): void {
    this.#pausedUntil = 0;
    this.#retryDelay = this.#options.retryDelayMs;
    this.wake();
  }

  /**
   * Starts a job; when it ends, the loop looks again. One that throws keeps its place for the retry delay, so that what
   * cannot be done is not tried without end.
   * @param job its signal is aborted by {@link abort} and when a stop waits no longer; with `leave` it gives its place to another job before it
   *   ends
   * @returns when the job has ended
   */
  run(job: (signal: AbortSignal, leave: () => void) => Promise<void>): Promise<void> {
    let hasPlace = true;
    const leave = () => {
      if (!hasPlace) return;
      hasPlace = false;
      this.#placed -= 1;
      this.wake();
    };
    this.#placed += 1;
    const running = this.#ended(job, leave).finally(() => {
      this.#jobs.delete(running);
      leave();
    });
    this.#jobs.add(running);
    return running;
  }

  /** Aborts the jobs that run, as their work is of no use any more. Others may start. */
  abort(): void {
    this.#aborting.abort();
    if (!this.isStopped) this.#aborting = new AbortController();
  }

  /** Resolves once the look has ended that is in progress. */
  async looked(): Promise<void> {
    await this.#looking;
  }

  /**
   * Starts nothing more, and waits for the present look and for running jobs.
   * @param graceMs time until the jobs are aborted; without it they are not
   * @param abortMs time that aborted jobs have to end; without it, as long as they take
   * @returns whether all jobs have ended
   */
  async stop(graceMs?: number, abortMs?: number): Promise<boolean> {
    this.#stopping.abort();
    await this.#looking;
    clearTimeout(this.#timer);
    if (await this.#idleWithin(graceMs)) return true;
    this.#aborting.abort();
    return this.#idleWithin(abortMs);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#isWoken = false;
    // Later, so that a look that wakes its own loop finds itself in progress.
    this.#looking = Promise.resolve()
      .then(() => this.#look())
      .finally(() => {
        this.#looking = null;
        if (this.#isWoken) this.wake();
      });
  }

  async #look(): Promise<void> {
    if (this.isStopped) return;
    // It may be so again without a word, as after an interruption.
    if (!this.#options.duty.isOurs) return this.#wakeIn(this.#options.longestPauseMs);
    try {
      const due = await this.#options.look(this);
      this.#retryDelay = this.#options.retryDelayMs;
      if (due !== null) this.#wakeIn(Math.min(Math.max(due, 0), this.#options.longestPauseMs));
    } catch (error) {
      this.#options.failed(error);
      this.backOff();
    }
  }

  async #ended(job: (signal: AbortSignal, leave: () => void) => Promise<void>, leave: () => void): Promise<void> {
    try {
      await job(this.#aborting.signal, leave);
    } catch (error) {
      this.#options.failed(error);
      await pause(this.#options.retryDelayMs, this.#stopping.signal);
    }
  }

  async #idleWithin(milliseconds: number | undefined): Promise<boolean> {
    const idle = Promise.all(this.#jobs).then(() => true);
    return milliseconds === undefined ? idle : inTime(idle, milliseconds, () => false);
  }

  #wakeIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), milliseconds).unref();
  }
}
