import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work runs before it yields, milliseconds. */
const longestTurn = 10;

/** Lets others work in between, during work of many small steps. */
export class Breather {
  #startedAt = performance.now();

  /** To be awaited between two steps; usually resolves immediately. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#startedAt < longestTurn) return;
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
