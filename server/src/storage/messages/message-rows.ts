import type { MessageChain, MessageFacts, SessionType } from '@parley/sdk';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Message, MessageState } from '../../core/messages/message.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { ConversationRow, ConversationRows } from '../conversations/conversation-rows.ts';
import type { Database, Tables } from '../database.ts';
import { Statement } from '../statement.ts';

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
>;

type InsertedMessage = NewMessage &
  Pick<MessageRow, 'uuid' | 'bot_uuid' | 'conversation_uuid' | 'sequence' | 'created_at'>;

/** The condition of an index over few rows, word for word: a database takes such an index only where it sees it. */
export const isUnfinished = sql<boolean>`state in ('received', 'processing')`;

/** The rows of messages. */
export class MessageRows {
  readonly #conversations: ConversationRows;
  readonly #byUuid: Statement<JoinedRow, { uuid: string }>;
  readonly #answerTo: Statement<JoinedRow, { message_uuid: string }>;
  readonly #delivered: Statement<DeliveredBefore, { bot_uuid: string; platform_message_id: string }>;
  readonly #insert: Statement<unknown, InsertedMessage>;
  readonly #begin: Statement<{ uuid: string }, { conversation_uuid: string; owner: string }>;
  readonly #waiting: Statement<JoinedRow, { conversation_uuid: string; after: number; limit: number }>;
  readonly #shown: Statement<JoinedRow, { conversation_uuid: string; limit: number }>;
  readonly #removeUnfinishedAnswer: Statement<unknown, { message_uuid: string }>;
  readonly #rewrite: Statement<unknown, Pick<MessageRow, RewrittenColumns>>;

  constructor(database: Database, conversations: ConversationRows) {
    this.#conversations = conversations;
    this.#byUuid = new Statement(database, ({ uuid }) => selectMessages(database).where('messages.uuid', '=', uuid));
    this.#answerTo = new Statement(database, ({ message_uuid }) =>
      selectMessages(database).where('messages.reply_to', '=', message_uuid),
    );
    this.#delivered = new Statement(database, ({ bot_uuid, platform_message_id }) =>
      database
        .selectFrom('messages')
        .select(['uuid', 'conversation_uuid', 'sequence', 'created_at'])
        .where('bot_uuid', '=', bot_uuid)
        .where('platform_message_id', '=', platform_message_id),
    );
    this.#insert = new Statement(database, (values) =>
      database.insertInto('messages').values({
        uuid: values.uuid,
        bot_uuid: values.bot_uuid,
        conversation_uuid: values.conversation_uuid,
        direction: values.direction,
        platform_message_id: values.platform_message_id,
        reply_to: values.reply_to,
        sequence: values.sequence,
        sender_id: values.sender_id,
        sender_name: values.sender_name,
        message_chain: values.message_chain,
        text: values.text,
        state: values.state,
        reason: null,
        sent_at: values.sent_at,
        facts: values.facts,
        merged_into: null,
        created_at: values.created_at,
        finished_at: values.finished_at,
      }),
    );
    this.#begin = new Statement(database, ({ conversation_uuid, owner }) =>
      database
        .updateTable('messages')
        .set(({ eb }) => ({
          state: 'processing',
          reason: null,
          attempts: eb('attempts', '+', 1),
          claimed_by: owner,
        }))
        .where('position', '=', ({ selectFrom }) =>
          selectFrom('messages')
            .select('position')
            .where('conversation_uuid', '=', conversation_uuid)
            .where(isUnfinished)
            .where('state', '=', 'received')
            .orderBy('sequence')
            .limit(sql.lit(1)),
        )
        .returning('uuid'),
    );
    this.#waiting = new Statement(database, ({ conversation_uuid, after, limit }) =>
      selectMessages(database)
        .where('messages.conversation_uuid', '=', conversation_uuid)
        .where(sql<boolean>`messages.state in ('received', 'processing')`)
        .where('messages.state', '=', 'received')
        .where('messages.sequence', '>', after)
        .orderBy('messages.sequence')
        .limit(limit),
    );
    this.#shown = new Statement(database, ({ conversation_uuid, limit }) =>
      selectMessages(database)
        .where('messages.conversation_uuid', '=', conversation_uuid)
        .where('messages.state', '!=', 'writing')
        .orderBy('messages.sequence', 'desc')
        .limit(limit),
    );
    this.#removeUnfinishedAnswer = new Statement(database, ({ message_uuid }) =>
      database.deleteFrom('messages').where('reply_to', '=', message_uuid).where('state', '=', 'writing'),
    );
    this.#rewrite = new Statement(database, ({ uuid, message_chain, text, state, reason, finished_at }) =>
      database
        .updateTable('messages')
        .set({ message_chain, text, state, reason, finished_at })
        .where('uuid', '=', uuid),
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

  /** Stores a message at the end of a conversation. */
  async insert(
    transaction: Transaction<Tables>,
    conversation: Pick<ConversationRow, 'uuid' | 'bot_uuid'>,
    message: NewMessage,
  ): Promise<{ uuid: string; sequence: number; created_at: string }> {
    const created_at = now();
    const sequence = await this.#conversations.nextSequence(transaction, conversation.uuid, created_at);
    const uuid = newUuid();
    await this.#insert.run(transaction, {
      ...message,
      uuid,
      bot_uuid: conversation.bot_uuid,
      conversation_uuid: conversation.uuid,
      sequence,
      created_at,
    });
    return { uuid, sequence, created_at };
  }

  /** Claims the oldest waiting message of a conversation for an owner; null when none waits. */
  async begin(transaction: Transaction<Tables>, conversationUuid: string, owner: string): Promise<Message | null> {
    const claimed = await this.#begin.first(transaction, { conversation_uuid: conversationUuid, owner });
    return claimed === undefined ? null : this.byUuid(transaction, claimed.uuid);
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

interface DeliveredBefore {
  uuid: string;
  conversation_uuid: string;
  sequence: number;
  created_at: string;
}

export type JoinedRow = MessageRow &
  Pick<ConversationRow, 'pipeline_uuid' | 'session_type' | 'session_id' | 'thread_id' | 'model_uuid'>;

export function selectMessages(database: Database) {
  return database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
    .selectAll('messages')
    .select([
      'conversations.pipeline_uuid',
      'conversations.session_type',
      'conversations.session_id',
      'conversations.thread_id',
      'conversations.model_uuid',
    ]);
}

export function toMessage(row: JoinedRow): Message {
  const { position: _, sent_at: __, claimed_by: ___, ...columns } = row;
  return {
    ...columns,
    direction: row.direction as Message['direction'],
    session_type: row.session_type as SessionType,
    facts: row.facts === null ? {} : (JSON.parse(row.facts) as MessageFacts),
    message_chain: JSON.parse(row.message_chain) as MessageChain,
    state: row.state as MessageState,
    reason: row.reason as Message['reason'],
  };
}
