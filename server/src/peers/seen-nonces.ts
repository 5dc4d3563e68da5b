/** The nonces of calls that were taken, for as long as such a call would be taken again. */
export class SeenNonces {
  /** When each may be forgotten, in the order of time. */
  readonly #until = new Map<string, number>();
  readonly #keepMs: number;
  readonly #maximum: number;

  /** @param keepMs how long each is remembered, milliseconds */
  constructor(keepMs: number, maximum = 100_000) {
    this.#keepMs = keepMs;
    this.#maximum = maximum;
  }

  has(nonce: string): boolean {
    return this.#until.has(nonce);
  }

  /**
   * @param present milliseconds of a clock that is never set
   * @returns false when it was used before, or no more can be remembered: a call that could be repeated is not taken
   */
  use(nonce: string, present: number): boolean {
    for (const [old, until] of this.#until) {
      if (until > present) break;
      this.#until.delete(old);
    }
    if (this.#until.has(nonce) || this.#until.size >= this.#maximum) return false;
    this.#until.set(nonce, present + this.#keepMs);
    return true;
  }
}
