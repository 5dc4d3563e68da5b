import { sql, type Transaction } from 'kysely';
import { now, present } from '../../lib/clock.ts';
import type { Tables } from '../database.ts';
import { isAbandoned } from '../replicas/replica-rows.ts';
import { isOpen } from './deliveries.ts';
import type { LedgerTables } from './ledger-tables.ts';
import { isUnfinished } from './message-rows.ts';

/**
 * Queues the messages again that no living replica works on, those with a complete answer first. What was sent unasked
 * meanwhile is `uncertain`. The queue must be locked.
 * @returns how many messages were being processed, and how many deliveries became uncertain
 */
export async function takeOverMessages(
  transaction: Transaction<Tables>,
  { conversations, queue }: Pick<LedgerTables, 'conversations' | 'queue'>,
): Promise<{ messages: number; deliveries: number }> {
  const deliveries = await markUnsolicitedUncertain(transaction);
  const abandoned = await transaction
    .selectFrom('messages')
    .leftJoin('messages as answer', (join) =>
      join.onRef('answer.reply_to', '=', 'messages.uuid').on('answer.state', 'in', ['finished', 'failed']),
    )
    .select(['messages.uuid', 'messages.conversation_uuid', 'messages.bot_uuid', 'messages.home'])
    .select('answer.uuid as answer_uuid')
    .where(sql<boolean>`messages.state in ('received', 'processing')`)
    .where('messages.state', '=', 'processing')
    .where(isAbandoned('messages.claimed_by'))
    // As other transactions lock conversations.
    .orderBy('messages.conversation_uuid')
    .execute();
  let messages = 0;
  for (const { uuid, conversation_uuid, bot_uuid, home, answer_uuid } of abandoned) {
    await conversations.lock(transaction, conversation_uuid);
    const { numUpdatedRows } = await transaction
      .updateTable('messages')
      .set({ state: 'received', claimed_by: null })
      .where('uuid', '=', uuid)
      .where('state', '=', 'processing')
      // It may have ended since.
      .where(isAbandoned('messages.claimed_by'))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    messages += 1;
    await queue.return(transaction, { uuid: conversation_uuid, bot_uuid, home }, answer_uuid !== null);
  }
  await queueForgotten(transaction);
  return { messages, deliveries };
}

/** Conversations whose messages wait although the queue does not have them, as databases of former versions may leave them. */
async function queueForgotten(transaction: Transaction<Tables>): Promise<void> {
  await sql`
    insert into queue (conversation_uuid, bot_uuid, is_running, due_at)
    select conversation_uuid, bot_uuid, 0, cast(${present()} as bigint) from messages
    where ${isUnfinished} and not exists (
      select 1 from queue where queue.conversation_uuid = messages.conversation_uuid and queue.is_running = 0
    ) and not exists (
      select 1 from messages as other where other.conversation_uuid = messages.conversation_uuid
        and other.state in ('received', 'processing') and other.state = 'processing'
    )
    group by conversation_uuid, bot_uuid order by min(position)
    on conflict (conversation_uuid) do update set is_running = 0`.execute(transaction);
}

/** Unsolicited messages that were being sent when the replica died may have arrived. @returns how many deliveries */
async function markUnsolicitedUncertain(transaction: Transaction<Tables>): Promise<number> {
  const interrupted = await transaction
    .selectFrom('deliveries')
    .select('message_uuid')
    .distinct()
    .where(isOpen)
    .where('state', '=', 'sending')
    // Not as a join, for which all messages that answer none may be read.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages')
          .select('uuid')
          .whereRef('messages.uuid', '=', 'deliveries.message_uuid')
          .where('messages.reply_to', 'is', null)
          .where(isAbandoned('messages.claimed_by')),
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
    .execute();
  let deliveries = 0;
  for (const { message_uuid } of interrupted) {
    // First, so that the one who sent it cannot settle it any more.
    const claimed = await transaction
      .updateTable('messages')
      .set({ claimed_by: null })
      .where('uuid', '=', message_uuid)
      .where(isAbandoned('messages.claimed_by'))
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) continue;
    const { numUpdatedRows } = await transaction
      .updateTable('deliveries')
      .set({ state: 'uncertain', reason: 'interrupted', updated_at: now() })
      .where('message_uuid', '=', message_uuid)
      .where(isOpen)
      .where('state', '=', 'sending')
      .executeTakeFirst();
    deliveries += Number(numUpdatedRows);
  }
  return deliveries;
}
