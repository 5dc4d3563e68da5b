import type { Transaction } from 'kysely';
import type { Tables } from '../database.ts';

/** A conversation, and the bot that its messages wait for. */
export interface QueuedConversation {
  uuid: string;
  bot_uuid: string;
}

/**
 * Conversations with work, each of them once. Which message is next is a matter of the ledger; only one of a
 * conversation is worked on at a time, so those of one conversation stay in order. Everything happens within the
 * caller's transaction, together with what it is about.
 */
export interface MessageQueue {
  /**
   * There is work now; nothing changes when there was some before.
   * @param dueAt as for `putBack`
   */
  add(transaction: Transaction<Tables>, conversation: QueuedConversation, dueAt: number | null): Promise<void>;
  /**
   * Takes the conversation that has been due longest, or null. It is given to nobody else until it is put back.
   * @param heldBots bots whose conversations wait on
   */
  take(transaction: Transaction<Tables>, heldBots: readonly string[]): Promise<string | null>;
  /**
   * There is work again, or still.
   * @param dueAt not before this moment, milliseconds since 1970; null for at once
   */
  putBack(transaction: Transaction<Tables>, conversation: QueuedConversation, dueAt: number | null): Promise<void>;
  /** What was to wait until a moment is due at once; nothing changes while somebody works on it. */
  hurry(transaction: Transaction<Tables>, conversationUuid: string): Promise<void>;
  /** There is no more work. */
  remove(transaction: Transaction<Tables>, conversationUuid: string): Promise<void>;
  /**
   * When the next conversation is due, milliseconds since 1970; null when there is none.
   * @param since of those that are due by now, only what became so in the last so many milliseconds
   */
  nextDue(since: number): Promise<number | null>;
  /**
   * Puts right what an earlier process left: nothing is taken, these conversations have work, and no other has. What
   * was to wait until a moment still does.
   * @param conversations in order
   * @param urgent uuids of those to be taken before all others
   */
  refill(
    transaction: Transaction<Tables>,
    conversations: readonly QueuedConversation[],
    urgent: ReadonlySet<string>,
  ): Promise<void>;
}
