/** Messages that are processed at the same time, however busy the process is. */
const least = 8;
/** Storing a message may take this long, milliseconds, or `slowness` times what it takes when there is little to do. */
const tolerated = 45;
const slowness = 6;
/** What remains of the limit when storing takes longer. */
const cut = 0.8;
/** After a cut, the time in which its effect shows; and the time from one rise to the next, milliseconds. */
const [settling, rising] = [200, 10];
/** How much the shortest time grows with each message, so that an exception is forgotten. */
const forgetting = 1.000_01;

/**
 * How many messages are processed at the same time. Storing what arrives comes before answering, and both take their time
 * from the same process and storage: the limit falls while storing takes long, and rises while it does not.
 */
export class ProcessingLimit {
  readonly #most: number;
  readonly #now: () => number;
  #value: number;
  #shortest = Number.POSITIVE_INFINITY;
  #settledAt = 0;
  #heldUntil = 0;

  /** @param now milliseconds, for tests */
  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
    this.#value = most;
  }

  get value(): number {
    return this.#value;
  }

  /** Whether it may rise. */
  get isReduced(): boolean {
    return this.#value < this.#most;
  }

  /** Stores what arrived, whose duration counts. */
  async storing<Result>(store: () => Promise<Result>): Promise<Result> {
    const begun = this.#now();
    const result = await store();
    this.#noteStored(this.#now() - begun);
    return result;
  }

  /** There was as much to process as the limit allows. */
  noteUsedUp(): void {
    const now = this.#now();
    if (now < this.#heldUntil) return;
    this.#value = Math.min(this.#most, this.#value + 1);
    this.#heldUntil = now + rising;
  }

  #noteStored(milliseconds: number): void {
    this.#shortest = Math.min(this.#shortest * forgetting, milliseconds);
    const now = this.#now();
    if (milliseconds <= Math.max(tolerated, slowness * this.#shortest) || now < this.#settledAt) return;
    this.#value = Math.max(Math.min(least, this.#most), Math.floor(this.#value * cut));
    this.#settledAt = now + settling;
    this.#heldUntil = this.#settledAt;
  }
}
