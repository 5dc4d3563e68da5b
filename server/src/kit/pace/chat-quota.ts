/** How many messages may go into a chat in a period. */
export interface QuotaWindow {
  messages: number;
  periodMs: number;
}

/** Chats that are remembered before those without recent messages are forgotten. */
const rememberedChats = 1000;

/** Counts the messages into each chat against limits for sliding periods. Uses the monotonic clock. */
export class ChatQuota {
  readonly #windows: readonly QuotaWindow[];
  readonly #longest: number;
  /** When messages were sent, oldest first. */
  readonly #sent = new Map<string, number[]>();

  constructor(windows: readonly QuotaWindow[]) {
    this.#windows = windows;
    this.#longest = Math.max(...windows.map(({ periodMs }) => periodMs));
  }

  /**
   * How long until another message may be sent, milliseconds; 0 if now.
   * @param reserve messages that are to stay possible
   */
  delayOf(chat: string, reserve = 0): number {
    const present = performance.now();
    const sent = this.#sent.get(chat) ?? [];
    const delays = this.#windows.map(({ messages, periodMs }) => {
      const decisive = sent.at(-Math.max(1, messages - reserve));
      return decisive === undefined ? 0 : Math.max(0, decisive + periodMs - present);
    });
    return Math.max(...delays);
  }

  /** Counts a message that is sent now. @returns undoes it, for one that was not sent */
  count(chat: string): () => void {
    const present = performance.now();
    if (this.#sent.size >= rememberedChats) {
      for (const [known, sent] of this.#sent) if (this.#isOver(sent.at(-1), present)) this.#sent.delete(known);
    }
    const sent = this.#sent.get(chat) ?? [];
    const recent = sent.findIndex((at) => !this.#isOver(at, present));
    this.#sent.set(chat, [...(recent < 0 ? [] : sent.slice(recent)), present]);
    return () => {
      const counted = this.#sent.get(chat) ?? [];
      const place = counted.lastIndexOf(present);
      if (place >= 0) counted.splice(place, 1);
    };
  }

  #isOver(at: number | undefined, present: number): boolean {
    return at === undefined || at + this.#longest <= present;
  }
}
