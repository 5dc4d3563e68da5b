import type { Reason } from '@parley/sdk';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Message, MessageClaim } from '../../core/messages/message.ts';
import type { MessageOutcome } from '../../core/messages/message-ledger.ts';
import { now } from '../../lib/clock.ts';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';
import type { MessageQueue, QueuedConversation } from './message-queue.ts';
import { isUnfinished } from './message-rows.ts';

/** Inbound messages on their way from waiting to their end, and their conversation's place in the queue. */
export class MessageLifecycle {
  readonly #queue: MessageQueue;
  readonly #conversationOf: PreparedQuery<QueuedConversation, { message_uuid: string }>;
  readonly #reopen: PreparedQuery<unknown, { uuid: string }>;
  readonly #release: PreparedQuery<unknown, Pick<Message, 'uuid' | 'reason'> & { uncounted: number }>;
  readonly #end: PreparedQuery<
    unknown,
    Pick<Message, 'state' | 'reason'> & MessageClaim & { owner: string; timestamp: string }
  >;
  readonly #fail: PreparedQuery<unknown, Pick<Message, 'uuid' | 'reason'>>;
  readonly #merge: PreparedQuery<
    unknown,
    { uuid: string; conversation_uuid: string; merged_into: string; timestamp: string }
  >;
  readonly #open: PreparedQuery<
    Pick<Message, 'state' | 'reason' | 'bot_uuid' | 'sequence'> & { home: string | null },
    { conversation_uuid: string }
  >;
  readonly #stopWaiting: PreparedQuery<
    Pick<Message, 'uuid' | 'bot_uuid'>,
    { conversation_uuid: string; before: number; reason: Message['reason']; timestamp: string }
  >;

  constructor(database: Database, queue: MessageQueue) {
    this.#queue = queue;
    this.#conversationOf = new PreparedQuery(database, (value) =>
      database
        .selectFrom('messages')
        .select(['conversation_uuid as uuid', 'bot_uuid', 'home'])
        .where('uuid', '=', value('message_uuid')),
    );
    this.#release = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        .set({
          state: 'received',
          reason: value('reason'),
          claimed_by: null,
          attempts: sql<number>`attempts - case when exists (
            select 1 from messages as answer where answer.reply_to = messages.uuid
          ) then 0 else ${value('uncounted')} end`,
        })
        .where('uuid', '=', value('uuid'))
        .where('state', '=', 'processing'),
    );
    this.#reopen = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        .set({ state: 'received', reason: null, finished_at: null })
        .where('uuid', '=', value('uuid'))
        .where('state', 'in', ['answered', 'stopped', 'failed', 'uncertain']),
    );
    this.#end = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        .set({ state: value('state'), reason: value('reason'), finished_at: value('timestamp'), claimed_by: null })
        .where('uuid', '=', value('uuid'))
        .where('claimed_by', '=', value('owner'))
        .where('claim', '=', value('claim'))
        .where(isUnfinished),
    );
    this.#fail = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        // Naming the column lets figures of its hour be counted again.
        .set(({ ref }) => ({ state: 'failed', reason: value('reason'), finished_at: ref('finished_at') }))
        .where('uuid', '=', value('uuid'))
        .where('state', 'in', ['answered', 'uncertain']),
    );
    this.#merge = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        .set({ state: 'stopped', reason: 'merged', merged_into: value('merged_into'), finished_at: value('timestamp') })
        .where('uuid', '=', value('uuid'))
        .where('conversation_uuid', '=', value('conversation_uuid'))
        .where('state', '=', 'received'),
    );
    this.#open = new PreparedQuery(database, (value) =>
      database
        .selectFrom('messages')
        .select(['state', 'reason', 'bot_uuid', 'sequence', 'home'])
        .where('conversation_uuid', '=', value('conversation_uuid'))
        .where(isUnfinished)
        // The one that is worked on is the oldest.
        .orderBy('sequence')
        .limit(sql.lit(1)),
    );
    this.#stopWaiting = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        .set({ state: 'stopped', reason: value('reason'), finished_at: value('timestamp') })
        .where('conversation_uuid', '=', value('conversation_uuid'))
        .where(isUnfinished)
        .where('state', '=', 'received')
        .where('sequence', '<', value('before'))
        .returning(['uuid', 'bot_uuid']),
    );
  }

  /** Undefined when the message is gone. */
  conversationOf(transaction: Transaction<Tables>, messageUuid: string): Promise<QueuedConversation | undefined> {
    return this.#conversationOf.first(transaction, { message_uuid: messageUuid });
  }

  /**
   * @param isCounted false to not count the attempt. One that started an answer is always counted, so that the next
   *   attempt checks for that
   * @returns false when the message was not being processed
   */
  async release(
    transaction: Transaction<Tables>,
    uuid: string,
    reason: Reason | null,
    isCounted: boolean,
  ): Promise<boolean> {
    return (await this.#release.run(transaction, { uuid, reason, uncounted: isCounted ? 0 : 1 })) > 0;
  }

  /** A message that ended waits for its turn again. @returns false when it had not ended */
  async reopen(transaction: Transaction<Tables>, uuid: string): Promise<boolean> {
    return (await this.#reopen.run(transaction, { uuid })) > 0;
  }

  /**
   * @param owner the process whose claim it is
   * @returns false when the claim is outdated
   */
  async end(
    transaction: Transaction<Tables>,
    { uuid, claim }: MessageClaim,
    { state, reason }: MessageOutcome,
    owner: string,
  ): Promise<boolean> {
    return (await this.#end.run(transaction, { uuid, claim, state, reason, owner, timestamp: now() })) > 0;
  }

  /** A message whose answer was sent has failed: a part of it was not delivered. @returns false when it ended otherwise */
  async fail(transaction: Transaction<Tables>, uuid: string, reason: Reason): Promise<boolean> {
    return (await this.#fail.run(transaction, { uuid, reason })) > 0;
  }

  /** Ends messages that waited behind one, together with it. */
  async merge(transaction: Transaction<Tables>, message: Message, merged: readonly string[]): Promise<void> {
    const timestamp = now();
    for (const uuid of merged) {
      const { conversation_uuid, uuid: merged_into } = message;
      await this.#merge.run(transaction, { uuid, conversation_uuid, merged_into, timestamp });
    }
  }

  /** Ends the turn of a conversation: it moves to the end of the queue, or leaves it. */
  async next(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    if (await this.#queue.endTurn(transaction, conversationUuid)) return;
    await this.#queueAgain(transaction, conversationUuid, await this.#oldest(transaction, conversationUuid));
  }

  async stopWaiting(
    transaction: Transaction<Tables>,
    conversationUuid: string,
    before: number,
    reason: Reason,
  ): Promise<Pick<Message, 'uuid' | 'bot_uuid'>[]> {
    const stopped = await this.#stopWaiting.all(transaction, {
      conversation_uuid: conversationUuid,
      before,
      reason,
      timestamp: now(),
    });
    if (stopped.length === 0) return stopped;
    const open = await this.#oldest(transaction, conversationUuid);
    // A message in progress ends its turn later. Otherwise the conversation has nothing left to wait for.
    if (open?.state !== 'processing') await this.#queueAgain(transaction, conversationUuid, open);
    return stopped;
  }

  /**
   * Ends one message.
   * @param condition under which it still can
   * @returns false when it cannot
   */
  async recall(
    transaction: Transaction<Tables>,
    { uuid, conversation_uuid, sequence }: Pick<Message, 'uuid' | 'conversation_uuid' | 'sequence'>,
    condition: RawBuilder<boolean>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await transaction
      .updateTable('messages')
      .set({ state: 'stopped', reason: 'recalled', finished_at: now() })
      .where('uuid', '=', uuid)
      .where(condition)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const open = await this.#oldest(transaction, conversation_uuid);
    // The conversation waits for what the message waited for, unless that stands behind another.
    const isFirst = open === undefined || (open.state === 'received' && open.sequence > sequence);
    if (isFirst) await this.#queueAgain(transaction, conversation_uuid, open);
    return true;
  }

  /** Webhooks have responded for the oldest message of a conversation: makes it due. */
  async hurry(transaction: Transaction<Tables>, conversationUuid: string): Promise<void> {
    const open = await this.#oldest(transaction, conversationUuid);
    if (open?.state !== 'received' || open.reason !== 'awaiting_webhook') return;
    await this.#queue.hurry(transaction, conversationUuid);
  }

  #oldest(transaction: Transaction<Tables>, conversationUuid: string) {
    return this.#open.first(transaction, { conversation_uuid: conversationUuid });
  }

  async #queueAgain(
    transaction: Transaction<Tables>,
    uuid: string,
    open: Omit<QueuedConversation, 'uuid'> | undefined,
  ): Promise<void> {
    if (open === undefined) await this.#queue.remove(transaction, uuid);
    else await this.#queue.putBack(transaction, { uuid, bot_uuid: open.bot_uuid, home: open.home }, null);
  }
}
