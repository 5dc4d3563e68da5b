/** Pause after the first failure; it doubles with each, up to the longest. Milliseconds. */
const firstPauseMs = 1000;
const longestPauseMs = 5 * 60_000;
/** Crashes within a minute after which a plugin is paused, and for how long, milliseconds. */
const tolerated = 5;
const minuteMs = 60_000;
const pausedMs = 5 * 60_000;

/** Decides when a process that has ended by itself may be started again. Times are of a monotonic clock, milliseconds. */
export class StartPace {
  #crashes: number[] = [];
  #pauseMs = firstPauseMs;
  #nextStart = 0;
  #isPaused = false;

  /** Time until the next start, milliseconds; 0 when it may be started. */
  waitMs(now: number): number {
    return Math.max(0, this.#nextStart - now);
  }

  /** Whether it crashed so often that calls are not to wait. */
  isPaused(now: number): boolean {
    return this.#isPaused && now < this.#nextStart;
  }

  /**
   * The process ended by itself, or could not be started.
   * @param ranMs how long it ran; 0 when it could not be started
   */
  crashed(now: number, ranMs: number): void {
    if (ranMs >= minuteMs) this.#recover();
    this.#crashes = [...this.#crashes.filter((at) => now - at < minuteMs), now];
    // After a pause there is one attempt.
    this.#isPaused ||= this.#crashes.length >= tolerated;
    this.#nextStart = now + (this.#isPaused ? pausedMs : this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  #recover(): void {
    this.#crashes = [];
    this.#pauseMs = firstPauseMs;
    this.#isPaused = false;
  }
}
