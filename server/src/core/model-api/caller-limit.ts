import { ParleyError } from '@parley/sdk';

/** Answers that one caller may wait for at the same time. */
const mostOfOne = 50;
/** Most answers that callers may wait for. Each holds a connection and the request. */
const mostOfAll = 500;

/** Bounds how many answers are waited for. */
export class CallerLimit {
  readonly #waiting = new Map<string, number>();
  #all = 0;

  /** @returns ends the wait @throws ParleyError `too_many_requests` */
  enter(caller: string): () => void {
    const own = this.#waiting.get(caller) ?? 0;
    if (own >= mostOfOne || this.#all >= mostOfAll) {
      throw new ParleyError('too_many_requests', 'Too many answers are waited for at the same time', {
        retryAfterSeconds: 1,
      });
    }
    this.#waiting.set(caller, own + 1);
    this.#all += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#all -= 1;
      const rest = (this.#waiting.get(caller) ?? 1) - 1;
      if (rest === 0) this.#waiting.delete(caller);
      else this.#waiting.set(caller, rest);
    };
  }
}
