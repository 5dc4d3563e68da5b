/** Bytes that several senders may have under way together. Whoever finds too few left waits, in order. */
export class ByteBudget {
  readonly #limit: number;
  #used = 0;
  #waiting: { bytes: number; taken: () => void }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits until the bytes are left; more than there are in all are taken when nothing else is. */
  async take(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#used += bytes;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ bytes, taken: resolve });
    await promise;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#used += next.bytes;
      this.#waiting.shift();
      next.taken();
    }
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#limit;
  }
}
