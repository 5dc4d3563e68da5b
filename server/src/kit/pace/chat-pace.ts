import { untilAborted } from '../../lib/waiting.ts';

/** How fast messages may be sent into a chat. */
export interface Pace {
  /** Time between two messages, milliseconds. */
  intervalMs: number;
  /** Messages that may be sent without a pause. */
  burst: number;
}

/** Chats that are remembered before those that may be written to again are forgotten. */
const rememberedChats = 1000;

/** Applies the rate limits of a platform per chat. Uses the monotonic clock. */
export class ChatPace {
  /** When the next edit in a chat is allowed. */
  readonly #next = new Map<string, number>();
  /** When the messages sent into a chat so far would have been sent without a burst. */
  readonly #sent = new Map<string, number>();

  /** Whether an edit is allowed now; if so, it counts as made. */
  take(chat: string, intervalMs: number): boolean {
    if ((this.#next.get(chat) ?? 0) > performance.now()) return false;
    this.pause(chat, intervalMs);
    return true;
  }

  /** Allows no change for a while. */
  pause(chat: string, milliseconds: number): void {
    const present = performance.now();
    forgetUntil(present, this.#next);
    this.#next.set(chat, Math.max(this.#next.get(chat) ?? 0, present + milliseconds));
  }

  /**
   * Waits until one more message may be sent to a chat: a few at once, then at a steady pace. Calls for the same chat
   * are served in order.
   * @throws the signal's reason when it is aborted first
   */
  async waitTurn(chat: string, { intervalMs, burst }: Pace, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const present = performance.now();
    forgetUntil(present, this.#sent);
    const steady = Math.max(this.#sent.get(chat) ?? 0, present);
    this.#sent.set(chat, steady + intervalMs);
    const wait = steady - intervalMs * (burst - 1) - present;
    if (wait <= 0) return;
    const turn = Promise.withResolvers<void>();
    const timer = setTimeout(turn.resolve, wait);
    try {
      await untilAborted(turn.promise, signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Removes chats without a limit, once there are many. */
function forgetUntil(present: number, chats: Map<string, number>): void {
  if (chats.size < rememberedChats) return;
  for (const [known, timestamp] of chats) if (timestamp <= present) chats.delete(known);
}
