/** Chats that are remembered before those that may be written to again are forgotten. */
const rememberedChats = 1000;

/** Keeps to what Telegram allows in one chat, whoever writes there. */
export class ChatPace {
  /** When the next change in a chat may be made. */
  readonly #next = new Map<string, number>();

  /** Whether a change may be made now; if so, it counts as made. */
  take(chat: string, intervalMs: number): boolean {
    if ((this.#next.get(chat) ?? 0) > Date.now()) return false;
    this.pause(chat, intervalMs);
    return true;
  }

  /** Allows no change for a while. */
  pause(chat: string, milliseconds: number): void {
    const present = Date.now();
    if (this.#next.size >= rememberedChats) {
      for (const [known, next] of this.#next) if (next <= present) this.#next.delete(known);
    }
    this.#next.set(chat, Math.max(this.#next.get(chat) ?? 0, present + milliseconds));
  }
}
