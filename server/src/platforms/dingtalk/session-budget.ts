import { rateLimited } from '../../kit/failures/rate-limited.ts';

/**
 * Messages that session webhooks of one chat take, and in which time; after more, they are refused for 10 minutes.
 * @see https://open.dingtalk.com/document/orgapp/custom-bot-send-message-type (limits of robots)
 */
const [most, periodMs] = [20, 60_000];

/** Chats that are remembered before those without a recent message are forgotten. */
const rememberedChats = 1000;

/** Keeps answers within the limit of session webhooks. Uses the monotonic clock. */
export class SessionBudget {
  /** When messages were sent to each chat, oldest first. */
  readonly #sent = new Map<string, number[]>();

  /**
   * Counts a message to a chat.
   * @throws DeliveryError `not_sent`, `quota` with the time until another one is possible
   */
  spend(chat: string): void {
    const present = performance.now();
    const recent = (this.#sent.get(chat) ?? []).filter((time) => time > present - periodMs);
    const [oldest] = recent;
    if (oldest !== undefined && recent.length >= most) {
      const pauseMs = Math.ceil(oldest + periodMs - present);
      throw rateLimited('DingTalk takes 20 messages a minute in a session', { pauseMs, scope: 'chat' });
    }
    if (this.#sent.size >= rememberedChats) this.#forget(present - periodMs);
    this.#sent.set(chat, [...recent, present]);
  }

  #forget(until: number): void {
    for (const [chat, times] of this.#sent) if ((times.at(-1) ?? 0) <= until) this.#sent.delete(chat);
  }
}
