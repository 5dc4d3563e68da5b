import { sql, type Transaction } from 'kysely';
import { now } from '../../lib/clock.ts';
import type { Tables } from '../database.ts';
import { isOpen } from './deliveries.ts';
import type { MessageQueue } from './message-queue.ts';
import { isUnfinished } from './message-rows.ts';

/**
 * Returns the messages that a process left unfinished to the queue, those with a complete answer first, and rebuilds the
 * queue from the ledger.
 * @returns how many messages were being processed, and how many deliveries became uncertain
 */
export async function recoverMessages(
  transaction: Transaction<Tables>,
  queue: MessageQueue,
): Promise<{ messages: number; deliveries: number }> {
  // What is stored meanwhile must not be queued between reading the ledger and filling the queue.
  await queue.lock(transaction);
  const deliveries = await markUnsolicitedUncertain(transaction);
  const complete = await transaction
    .selectFrom('messages')
    .innerJoin('messages as answer', 'answer.reply_to', 'messages.uuid')
    .select('messages.conversation_uuid')
    .where(sql<boolean>`messages.state in ('received', 'processing')`)
    .where('messages.state', '=', 'processing')
    .where('answer.state', 'in', ['finished', 'failed'])
    .execute();
  const { numUpdatedRows } = await transaction
    .updateTable('messages')
    .set({ state: 'received', claimed_by: null })
    .where(isUnfinished)
    .where('state', '=', 'processing')
    .executeTakeFirst();
  const conversations = await transaction
    .selectFrom('messages')
    .select(['conversation_uuid as uuid', 'bot_uuid'])
    .where(isUnfinished)
    .groupBy(['conversation_uuid', 'bot_uuid'])
    .orderBy(({ fn }) => fn.min('position'))
    .execute();
  const urgent = new Set(complete.map(({ conversation_uuid }) => conversation_uuid));
  await queue.refill(transaction, conversations, urgent);
  return { messages: Number(numUpdatedRows), deliveries };
}

/** Unsolicited messages that were being sent when the process died may have arrived. @returns how many deliveries */
async function markUnsolicitedUncertain(transaction: Transaction<Tables>): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('deliveries')
    .set({ state: 'uncertain', reason: 'interrupted', updated_at: now() })
    .where(isOpen)
    .where('state', '=', 'sending')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages')
          .select('uuid')
          .whereRef('messages.uuid', '=', 'deliveries.message_uuid')
          .where('messages.reply_to', 'is', null),
      ),
    )
    // Replies of plugins are left to the next attempt at their message.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('plugin_effects')
            .select('kind')
            .whereRef('plugin_effects.reply_uuid', '=', 'deliveries.message_uuid'),
        ),
      ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
