import type { MessageChain, MessageFacts } from '@parley/sdk';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { ClaimedMessage, Message } from '../../core/messages/message.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { ConversationRow, ConversationRows } from '../conversations/conversation-rows.ts';
import type { Database, Tables } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { columnsOf } from '../table-columns.ts';

type MessageRow = Selectable<Tables['messages']>;

/** Columns of a message when it is stored. */
export type NewMessage = Pick<
  MessageRow,
  | 'direction'
  | 'platform_message_id'
  | 'reply_to'
  | 'sender_id'
  | 'sender_name'
  | 'message_chain'
  | 'text'
  | 'state'
  | 'sent_at'
  | 'facts'
  | 'finished_at'
> & { home?: string | null };

/** Who works on a message. */
type RowClaim = Pick<MessageRow, 'claimed_by' | 'claim'>;

type InsertedMessage = Required<NewMessage> &
  RowClaim &
  Pick<MessageRow, 'uuid' | 'bot_uuid' | 'conversation_uuid' | 'sequence' | 'created_at'>;

/** The condition of an index over few rows, word for word: a database takes such an index only where it sees it. */
export const isUnfinished = sql<boolean>`state in ('received', 'processing')`;

/** The rows of messages. */
export class MessageRows {
  readonly #conversations: ConversationRows;
  readonly #byUuid: PreparedQuery<JoinedRow, { uuid: string }>;
  readonly #answerTo: PreparedQuery<JoinedRow, { message_uuid: string }>;
  readonly #delivered: PreparedQuery<DeliveredBefore, { bot_uuid: string; platform_message_id: string }>;
  readonly #insert: PreparedQuery<unknown, InsertedMessage>;
  readonly #begin: PreparedQuery<{ uuid: string }, { conversation_uuid: string; owner: string }>;
  readonly #claimed: PreparedQuery<JoinedRow & ClaimVersions, { uuid: string }>;
  readonly #waiting: PreparedQuery<JoinedRow, { conversation_uuid: string; after: number; limit: number }>;
  readonly #shown: PreparedQuery<JoinedRow, { conversation_uuid: string; limit: number }>;
  readonly #removeUnfinishedAnswer: PreparedQuery<unknown, { message_uuid: string }>;
  readonly #rewrite: PreparedQuery<unknown, Pick<MessageRow, RewrittenColumns>>;

  constructor(database: Database, conversations: ConversationRows) {
    this.#conversations = conversations;
    this.#byUuid = new PreparedQuery(database, (value) =>
      selectMessages(database).where('messages.uuid', '=', value('uuid')),
    );
    this.#answerTo = new PreparedQuery(database, (value) =>
      selectMessages(database).where('messages.reply_to', '=', value('message_uuid')),
    );
    this.#delivered = new PreparedQuery(database, (value) =>
      database
        .selectFrom('messages')
        .select(['uuid', 'conversation_uuid', 'sequence', 'created_at'])
        .where('bot_uuid', '=', value('bot_uuid'))
        .where('platform_message_id', '=', value('platform_message_id')),
    );
    this.#insert = new PreparedQuery(database, (value) =>
      database.insertInto('messages').values({
        uuid: value('uuid'),
        bot_uuid: value('bot_uuid'),
        conversation_uuid: value('conversation_uuid'),
        direction: value('direction'),
        platform_message_id: value('platform_message_id'),
        reply_to: value('reply_to'),
        sequence: value('sequence'),
        sender_id: value('sender_id'),
        sender_name: value('sender_name'),
        message_chain: value('message_chain'),
        text: value('text'),
        state: value('state'),
        reason: null,
        sent_at: value('sent_at'),
        facts: value('facts'),
        merged_into: null,
        claimed_by: value('claimed_by'),
        claim: value('claim'),
        home: value('home'),
        created_at: value('created_at'),
        finished_at: value('finished_at'),
      }),
    );
    this.#begin = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        .set(({ eb }) => ({
          state: 'processing',
          reason: null,
          attempts: eb('attempts', '+', 1),
          claimed_by: value('owner'),
          claim: eb('claim', '+', 1),
        }))
        .where('position', '=', ({ selectFrom }) =>
          selectFrom('messages')
            .select('position')
            .where('conversation_uuid', '=', value('conversation_uuid'))
            .where(isUnfinished)
            .orderBy('sequence')
            .limit(sql.lit(1)),
        )
        // One at a time, also should the queue say otherwise: the oldest one is the only one that may be claimed already.
        .where('state', '=', 'received')
        .returning('uuid'),
    );
    this.#claimed = new PreparedQuery(database, (value) =>
      selectMessages(database)
        .select('conversations.history_revision')
        .select(({ selectFrom }) =>
          (['record_version', 'extension_version'] as const).map((table) =>
            selectFrom(table).select('version').where('id', '=', sql.lit(1)).$asScalar().$notNull().as(table),
          ),
        )
        .where('messages.uuid', '=', value('uuid')),
    );
    this.#waiting = new PreparedQuery(database, (value) =>
      selectMessages(database)
        .where('messages.conversation_uuid', '=', value('conversation_uuid'))
        .where(sql<boolean>`messages.state in ('received', 'processing')`)
        .where('messages.state', '=', 'received')
        .where('messages.sequence', '>', value('after'))
        .orderBy('messages.sequence')
        .limit(value('limit')),
    );
    this.#shown = new PreparedQuery(database, (value) =>
      selectMessages(database)
        .where('messages.conversation_uuid', '=', value('conversation_uuid'))
        .where('messages.state', '!=', 'writing')
        .orderBy('messages.sequence', 'desc')
        .limit(value('limit')),
    );
    this.#removeUnfinishedAnswer = new PreparedQuery(database, (value) =>
      database.deleteFrom('messages').where('reply_to', '=', value('message_uuid')).where('state', '=', 'writing'),
    );
    this.#rewrite = new PreparedQuery(database, (value) =>
      database
        .updateTable('messages')
        .set({
          message_chain: value('message_chain'),
          text: value('text'),
          state: value('state'),
          reason: value('reason'),
          finished_at: value('finished_at'),
        })
        .where('uuid', '=', value('uuid')),
    );
  }

  async byUuid(database: Database, uuid: string): Promise<Message> {
    return toMessage(await this.#byUuid.one(database, { uuid }));
  }

  /** Null when there is none. */
  async find(database: Database, uuid: string): Promise<Message | null> {
    const row = await this.#byUuid.first(database, { uuid });
    return row === undefined ? null : toMessage(row);
  }

  async answerTo(database: Database, messageUuid: string): Promise<Message | null> {
    const row = await this.#answerTo.first(database, { message_uuid: messageUuid });
    return row === undefined ? null : toMessage(row);
  }

  /** The message with the platform's identifier, when it was stored before. */
  delivered(database: Database, bot_uuid: string, platform_message_id: string): Promise<DeliveredBefore | undefined> {
    return this.#delivered.first(database, { bot_uuid, platform_message_id });
  }

  /** Stores a message at the end of a conversation. @param claim of one that is worked on from now on */
  async insert(
    transaction: Transaction<Tables>,
    conversation: Pick<ConversationRow, 'uuid' | 'bot_uuid'>,
    message: NewMessage,
    claim: RowClaim = { claimed_by: null, claim: 0 },
  ): Promise<{ uuid: string; sequence: number; created_at: string }> {
    const created_at = now();
    const sequence = await this.#conversations.nextSequence(transaction, conversation.uuid, created_at);
    const uuid = newUuid();
    await this.#insert.run(transaction, {
      ...message,
      ...claim,
      home: message.home ?? null,
      uuid,
      bot_uuid: conversation.bot_uuid,
      conversation_uuid: conversation.uuid,
      sequence,
      created_at,
    });
    return { uuid, sequence, created_at };
  }

  /** Claims the oldest waiting message of a conversation for an owner; null when none waits. */
  async begin(
    transaction: Transaction<Tables>,
    conversationUuid: string,
    owner: string,
  ): Promise<ClaimedMessage | null> {
    const claimed = await this.#begin.first(transaction, { conversation_uuid: conversationUuid, owner });
    if (claimed === undefined) return null;
    const { history_revision, record_version, extension_version, ...row } = await this.#claimed.one(
      transaction,
      claimed,
    );
    return { ...toMessage(row), claim: row.claim, history_revision, record_version, extension_version };
  }

  /** Waiting messages of a conversation after a sequence number, oldest first. */
  async waiting(database: Database, conversationUuid: string, after: number, limit: number): Promise<Message[]> {
    return (await this.#waiting.all(database, { conversation_uuid: conversationUuid, after, limit })).map(toMessage);
  }

  /** The latest messages of a conversation that can be shown, oldest first. */
  async shown(database: Database, conversationUuid: string, limit: number): Promise<Message[]> {
    const rows = await this.#shown.all(database, { conversation_uuid: conversationUuid, limit });
    return rows.reverse().map(toMessage);
  }

  /** Removes an answer that was started and never completed, so that none of it was sent. */
  async removeUnfinishedAnswer(transaction: Transaction<Tables>, messageUuid: string): Promise<void> {
    await this.#removeUnfinishedAnswer.run(transaction, { message_uuid: messageUuid });
  }

  /** Stores the progress of a started answer. */
  async rewrite(
    transaction: Transaction<Tables>,
    { uuid, message_chain, text, state, reason, finished_at }: Message,
  ): Promise<void> {
    const chain = JSON.stringify(message_chain);
    await this.#rewrite.run(transaction, { uuid, message_chain: chain, text, state, reason, finished_at });
  }
}

type RewrittenColumns = 'uuid' | 'message_chain' | 'text' | 'state' | 'reason' | 'finished_at';

/** Numbers that tell whether what is in memory is up to date. */
export type ClaimVersions = Pick<ClaimedMessage, 'history_revision' | 'record_version' | 'extension_version'>;

type DeliveredBefore = Pick<Message, 'uuid' | 'conversation_uuid' | 'sequence' | 'created_at'>;

export type JoinedRow = Omit<MessageRow, 'home'> &
  Pick<ConversationRow, 'pipeline_uuid' | 'session_type' | 'session_id' | 'thread_id' | 'model_uuid'>;

export function selectMessages(database: Database) {
  return database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
    .select(columnsOf('messages'))
    .select([
      'conversations.pipeline_uuid',
      'conversations.session_type',
      'conversations.session_id',
      'conversations.thread_id',
      'conversations.model_uuid',
    ]);
}

export function toMessage(row: JoinedRow): Message {
  const { position: _, sent_at: __, claimed_by: ___, claim: ____, ...columns } = row;
  return {
    ...columns,
    facts: row.facts === null ? {} : (JSON.parse(row.facts) as MessageFacts),
    message_chain: JSON.parse(row.message_chain) as MessageChain,
  };
}
