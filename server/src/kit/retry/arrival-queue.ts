import { inTime } from '../../lib/waiting.ts';

/** What may wait to be stored, for each bot. */
const mostWaiting = 1000;

/** What a bot has received and not stored yet: one after the other in a chat, chats beside one another. */
export class ArrivalQueue {
  readonly #before: Promise<unknown>;
  /** The last work of each chat that has any. */
  readonly #last = new Map<string, Promise<void>>();
  #waiting = 0;

  /** @param before what all of it waits for */
  constructor(before: Promise<unknown>) {
    this.#before = before;
  }

  /**
   * Adds work of a chat. It must not reject.
   * @returns false when there is too much already, and it will not be done
   */
  add(chat: string, work: () => Promise<void>): boolean {
    if (this.#waiting >= mostWaiting) return false;
    this.#waiting += 1;
    const done = (this.#last.get(chat) ?? this.#before).then(work).finally(() => {
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

/**
 * The queues of the bots of one platform that sends everything once. What cannot be stored while a bot is connected is
 * stored later, and before what the next connection of the bot in this process receives.
 */
export class ArrivalQueues {
  /** What is left of earlier connections, by bot. */
  readonly #left = new Map<string, Promise<unknown>>();

  /** The queue of a connection that begins. */
  open(botUuid: string): ArrivalQueue {
    return new ArrivalQueue(this.#left.get(botUuid) ?? Promise.resolve());
  }

  /**
   * The connection has ended, and nothing more is added. Waits for what was, but not longer than that.
   * @param waitMs milliseconds
   */
  async close(botUuid: string, queue: ArrivalQueue, waitMs: number): Promise<void> {
    const idle = queue.idle();
    const left = Promise.all([this.#left.get(botUuid), idle]).then(() => {
      if (this.#left.get(botUuid) === left) this.#left.delete(botUuid);
    });
    this.#left.set(botUuid, left);
    await inTime(idle, waitMs, () => undefined);
  }
}
