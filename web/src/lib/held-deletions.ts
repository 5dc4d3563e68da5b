import { session } from './session.ts';

/** How long a deletion can be undone, milliseconds. */
export const undoTime = 8000;

interface Deletion {
  /** The records, as their lists name them: `bots/<uuid>`. */
  keys: readonly string[];
  /** @param leaving whether the page is being closed, so that the request must outlive it */
  send: (leaving: boolean) => Promise<unknown>;
  /** Called after the request, whether it succeeded or not. */
  settled: (error: unknown) => unknown;
}

interface Held extends Deletion {
  /** The next account must not delete for this one. */
  session: string | null;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Deletions that can still be undone: the server is not asked before. They are sent when the page is left. Where that
 * fails, the records stay.
 */
class HeldDeletions {
  readonly #held = new Set<Held>();
  readonly #sending = new WeakMap<Held, Promise<unknown>>();
  readonly #listeners = new Set<() => void>();
  /** Of records that are, or are about to be, deleted. A new set with every change. */
  #keys: ReadonlySet<string> = new Set();

  constructor() {
    window.addEventListener('pagehide', () => {
      for (const held of [...this.#held]) void this.#send(held, true);
    });
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  keys = (): ReadonlySet<string> => this.#keys;

  /** @returns undoes the deletion; does nothing once it was sent */
  hold(deletion: Deletion): () => void {
    const timer = setTimeout(() => void this.#send(held, false), undoTime);
    const held: Held = { ...deletion, session: session.current(), timer };
    this.#held.add(held);
    this.#changed();
    return () => {
      if (this.#held.has(held) && !this.#sending.has(held)) this.#end(held);
    };
  }

  /** Sends everything now: before signing out. */
  async sendAll(): Promise<void> {
    await Promise.all([...this.#held].map((held) => this.#send(held, false)));
  }

  async #send(held: Held, leaving: boolean): Promise<void> {
    if (session.current() !== held.session) return this.#end(held);
    if (!this.#sending.has(held)) {
      clearTimeout(held.timer);
      this.#sending.set(held, held.send(leaving));
    }
    let error: unknown = null;
    try {
      await this.#sending.get(held);
    } catch (fault) {
      error = fault;
    }
    if (!this.#held.has(held)) return;
    // The list is read again before the record may be shown in it, so that it does not flash.
    this.#held.delete(held);
    await held.settled(error);
    this.#changed();
  }

  #end(held: Held): void {
    clearTimeout(held.timer);
    this.#held.delete(held);
    this.#changed();
  }

  #changed(): void {
    this.#keys = new Set([...this.#held].flatMap(({ keys }) => keys));
    for (const listener of this.#listeners) listener();
  }
}

export const heldDeletions = new HeldDeletions();
