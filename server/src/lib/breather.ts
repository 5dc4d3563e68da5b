import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work goes on until others have their turn, milliseconds. */
const longestTurn = 10;

/** Lets others work in between, during work of many small steps. */
export class Breather {
  #begun = performance.now();

  /** To be awaited between two steps; most often it goes on at once. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#begun < longestTurn) return;
    await nextTurn();
    this.#begun = performance.now();
  }
}
