import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Runs work on the same thing one after the other, in order of arrival, and work on different things at once. */
export class KeyedTurns {
  readonly #turns = new Map<string, { limit: ConcurrencyLimit; users: number }>();

  async run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const turn = this.#turns.get(key) ?? { limit: new ConcurrencyLimit(1), users: 0 };
    this.#turns.set(key, turn);
    turn.users += 1;
    try {
      return await turn.limit.run(work);
    } finally {
      turn.users -= 1;
      if (turn.users === 0) this.#turns.delete(key);
    }
  }
}
