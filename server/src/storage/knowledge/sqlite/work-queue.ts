/** Work in steps: each leaves nothing open, so that other work can run in between. */
export type Pieces<Result> = Generator<void, Result, void>;

interface Work {
  pieces: Pieces<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export interface WorkEvents {
  /** Background work failed; there is no caller. */
  failed(error: unknown): void;
  /** Nothing is left to do. */
  idle(): void;
}

/** Work that cannot be divided. */
export function* inOnePiece<Result>(work: () => Result): Pieces<Result> {
  yield;
  return work();
}

/** Approximate duration of a step, milliseconds. */
export const pieceMs = 20;
/** One step in this many is background work while there is other work. */
const backgroundShare = 4;

/**
 * Runs one job after the other, in steps. Between steps the thread answers reads. Background work runs when nothing
 * else is queued, and occasionally otherwise.
 */
export class WorkQueue {
  readonly #work: Work[] = [];
  readonly #background: Work[] = [];
  readonly #events: WorkEvents;
  #isScheduled = false;
  #pieces = 0;

  constructor(events: WorkEvents) {
    this.#events = events;
  }

  get isIdle(): boolean {
    return this.#work.length === 0 && this.#background.length === 0;
  }

  run<Result>(pieces: Pieces<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#work.push({ pieces, resolve, reject });
    this.#schedule();
    return promise as Promise<Result>;
  }

  runInBackground(pieces: Pieces<void>): void {
    this.#background.push({ pieces, resolve: () => undefined, reject: (error) => this.#events.failed(error) });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.isIdle) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#step();
      if (this.isIdle) this.#events.idle();
      else this.#schedule();
    });
  }

  #step(): void {
    this.#pieces += 1;
    const isTurnOfBackground = this.#pieces % backgroundShare === 0;
    const works =
      this.#work.length === 0 || (isTurnOfBackground && this.#background.length > 0) ? this.#background : this.#work;
    const work = works[0];
    if (work === undefined) return;
    try {
      const { done, value } = work.pieces.next();
      if (done !== true) return;
      works.shift();
      work.resolve(value);
    } catch (error) {
      works.shift();
      work.reject(error);
    }
  }
}
