import { StorageError } from '../../lib/storage-error.ts';

/** Messages that arrive are refused while more than this waits to be stored, characters. */
const maximumWaiting = 64_000_000;

/** How much waits to be stored, so that what arrives is refused before it fills the memory: its platform delivers it again. */
export class StoringLoad {
  #characters = 0;

  /**
   * Counts an operation until it has been stored, or has failed.
   * @param characters that it stores, about
   * @param arrives whether it stores messages that arrive, which may be refused
   * @throws StorageError `overloaded` when it is refused; else what `store` throws
   */
  async during<Result>(characters: number, arrives: boolean, store: () => Promise<Result>): Promise<Result> {
    const isTooMuch = this.#characters > 0 && this.#characters + characters > maximumWaiting;
    if (isTooMuch && arrives) throw new StorageError('overloaded', 'Too many messages are waiting to be stored');
    this.#characters += characters;
    try {
      return await store();
    } finally {
      this.#characters -= characters;
    }
  }
}
