import type { Transaction } from 'kysely';
import type { Tables } from '../database.ts';

/** A conversation, and the bot that its messages wait for. */
export interface QueuedConversation {
  uuid: string;
  bot_uuid: string;
}

/**
 * Conversations with work, each of them once. The ledger determines which message is next; only one of a conversation
 * is processed at a time, so messages of one conversation stay in order. All methods run within the caller's
 * transaction, together with the change they are about.
 */
export interface MessageQueue {
  /**
   * There is work now; nothing changes when there was some before.
   * @param dueAt as for `putBack`
   */
  add(transaction: Transaction<Tables>, conversation: QueuedConversation, dueAt: number | null): Promise<void>;
  /**
   * Takes the conversations that have been due longest. No one else gets them until they are put back.
   * @param heldBots bots whose conversations wait on
   * @returns at most `limit`; fewer may be due even so
   */
  take(transaction: Transaction<Tables>, heldBots: readonly string[], limit: number): Promise<string[]>;
  /**
   * Queues a conversation that has work.
   * @param dueAt earliest time, milliseconds since 1970; null for at once
   */
  putBack(transaction: Transaction<Tables>, conversation: QueuedConversation, dueAt: number | null): Promise<void>;
  /** Makes a waiting conversation due at once; does nothing while it is being processed. */
  hurry(transaction: Transaction<Tables>, conversationUuid: string): Promise<void>;
  /** There is no more work. */
  remove(transaction: Transaction<Tables>, conversationUuid: string): Promise<void>;
  /**
   * When the next conversation is due, milliseconds since 1970; null when there is none.
   * @param since of conversations already due, only those that became due within this many milliseconds
   */
  nextDue(since: number): Promise<number | null>;
  /**
   * Rebuilds the queue after an earlier process: nothing is taken, only these conversations have work. Those waiting
   * for a due time continue to wait.
   * @param conversations in order
   * @param urgent uuids of those to be taken before all others
   */
  refill(
    transaction: Transaction<Tables>,
    conversations: readonly QueuedConversation[],
    urgent: ReadonlySet<string>,
  ): Promise<void>;
}
