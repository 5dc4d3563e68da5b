/** Work on the chats of a bot: one after the other in a chat, chats beside one another. */
export class ChatQueue {
  readonly #most: number;
  /** The last work of each chat that has any. */
  readonly #last = new Map<string, Promise<void>>();
  #waiting = 0;

  /** @param most works that may wait */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Adds work of a chat. It must not reject.
   * @returns false when there is too much already, and it will not be done
   */
  add(chat: string, work: () => Promise<void>): boolean {
    if (this.#waiting >= this.#most) return false;
    this.#waiting += 1;
    const done = (this.#last.get(chat) ?? Promise.resolve()).then(work).finally(() => {
      this.#waiting -= 1;
      if (this.#last.get(chat) === done) this.#last.delete(chat);
    });
    this.#last.set(chat, done);
    return true;
  }

  /** Resolves when all that was added is done. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
