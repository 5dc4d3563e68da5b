import { type MessageChain, type MessageEvent, type SessionType, textOfChain } from '@parley/sdk';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Conversation, ConversationKey } from '../../core/conversations/conversation.ts';
import type { Message, MessageState } from '../../core/messages/message.ts';
import type {
  DeliveryOutcome,
  MessageOutcome,
  MessageStore,
  StoredReceipt,
} from '../../core/messages/message-store.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';

/** What a complete answer says about the message that it answers. */
const completeAnswers: [MessageState, MessageOutcome][] = [
  ['finished', { state: 'answered', reason: 'answered' }],
  ['failed', { state: 'failed', reason: 'internal' }],
];

/** The states that the indexes of the queue and of open deliveries hold; see {@link isIn}. */
const unfinished = ['received', 'processing'];
const undelivered = ['pending', 'sending'];

type MessageRow = Selectable<Tables['messages']>;
type ConversationRow = Selectable<Tables['conversations']>;

/** The ledger in the database. */
export class KyselyMessageStore implements MessageStore {
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
  }

  accept(key: ConversationKey, event: MessageEvent): Promise<StoredReceipt> {
    return this.#database.transaction().execute(async (transaction) => {
      const conversation = await this.#conversation(transaction, key);
      const known = await transaction
        .selectFrom('messages')
        .select(['uuid', 'conversation_uuid', 'sequence', 'created_at'])
        .where('bot_uuid', '=', key.bot_uuid)
        .where('platform_message_id', '=', event.platform_message_id)
        .executeTakeFirst();
      if (known !== undefined) return { outcome: 'repeated', ...known };
      const row = await this.#insert(transaction, conversation, {
        direction: 'inbound',
        platform_message_id: event.platform_message_id,
        reply_to: null,
        sender_id: event.sender_id,
        sender_name: event.sender_name ?? '',
        message_chain: JSON.stringify(event.message_chain),
        text: textOfChain(event.message_chain),
        state: 'received',
        sent_at: event.sent_at ?? null,
      });
      return { outcome: 'accepted', conversation_uuid: conversation.uuid, ...row };
    });
  }

  claim(heldBots: readonly string[]): Promise<Message | null> {
    return this.#database.transaction().execute(async (transaction) => {
      // Whoever claims next must see this claim, or two messages of one conversation would run at once. SQLite has one
      // writer at a time anyway.
      if (this.#engine === 'postgres')
        await sql`select pg_advisory_xact_lock(${advisoryLocks.claim})`.execute(transaction);
      const next = await transaction
        .selectFrom('messages as waiting')
        .select('waiting.uuid')
        .where(isIn('waiting.state', unfinished))
        .where('waiting.state', '=', 'received')
        .$if(heldBots.length > 0, (query) => query.where('waiting.bot_uuid', 'not in', heldBots))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('messages as running')
                .select('running.uuid')
                .where(isIn('running.state', unfinished))
                .where('running.state', '=', 'processing')
                .whereRef('running.conversation_uuid', '=', 'waiting.conversation_uuid'),
            ),
          ),
        )
        .orderBy('waiting.position')
        .limit(1)
        .executeTakeFirst();
      if (next === undefined) return null;
      await transaction.updateTable('messages').set({ state: 'processing' }).where('uuid', '=', next.uuid).execute();
      return this.#byUuid(transaction, next.uuid);
    });
  }

  recover(): Promise<{ messages: number; deliveries: number }> {
    return this.#database.transaction().execute(async (transaction) => {
      const deliveries = await transaction
        .updateTable('deliveries')
        .set({ state: 'uncertain', updated_at: now() })
        .where(isIn('state', undelivered))
        .where('state', '=', 'sending')
        .executeTakeFirst();
      // An answer that was complete is not written again, whether or not its delivery came through.
      for (const [answerState, outcome] of completeAnswers) {
        await transaction
          .updateTable('messages')
          .set({ ...outcome, finished_at: now() })
          .where(isIn('state', unfinished))
          .where('state', '=', 'processing')
          .where('uuid', 'in', (query) =>
            query
              .selectFrom('messages as answer')
              .select('answer.reply_to')
              .where('answer.reply_to', 'is not', null)
              .where('answer.state', '=', answerState)
              .$narrowType<{ reply_to: string }>(),
          )
          .execute();
      }
      const messages = await transaction
        .updateTable('messages')
        .set({ state: 'received' })
        .where(isIn('state', unfinished))
        .where('state', '=', 'processing')
        .executeTakeFirst();
      return { messages: Number(messages.numUpdatedRows), deliveries: Number(deliveries.numUpdatedRows) };
    });
  }

  async release(messageUuid: string): Promise<void> {
    await this.#database
      .updateTable('messages')
      .set({ state: 'received' })
      .where('uuid', '=', messageUuid)
      .where('state', '=', 'processing')
      .execute();
  }

  beginAnswer(message: Message): Promise<Message> {
    return this.#database.transaction().execute(async (transaction) => {
      const existing = await transaction
        .selectFrom('messages')
        .select('uuid')
        .where('reply_to', '=', message.uuid)
        .executeTakeFirst();
      if (existing !== undefined) return this.#byUuid(transaction, existing.uuid);
      const row = await this.#insert(transaction, await this.#conversationOf(transaction, message), {
        direction: 'outbound',
        platform_message_id: null,
        reply_to: message.uuid,
        sender_id: message.bot_uuid,
        sender_name: '',
        message_chain: '[]',
        text: '',
        state: 'writing',
        sent_at: null,
      });
      await this.#createDelivery(transaction, row.uuid, 'pending');
      return this.#byUuid(transaction, row.uuid);
    });
  }

  async finishAnswer(answerUuid: string, chain: MessageChain, text: string, state: 'finished' | 'failed') {
    await this.#database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('messages')
        .set({ message_chain: JSON.stringify(chain), text, state, finished_at: now() })
        .where('uuid', '=', answerUuid)
        .execute();
      await transaction
        .updateTable('deliveries')
        .set({ state: 'sending', updated_at: now() })
        .where('message_uuid', '=', answerUuid)
        .execute();
    });
  }

  async settle(
    messageUuid: string,
    outcome: MessageOutcome,
    answer: { uuid: string; delivery: DeliveryOutcome } | null,
  ): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('messages')
        .set({ state: outcome.state, reason: outcome.reason, finished_at: now() })
        .where('uuid', '=', messageUuid)
        .execute();
      if (answer !== null) return this.#endDelivery(transaction, answer.uuid, answer.delivery);
      // Its delivery goes with it.
      await transaction
        .deleteFrom('messages')
        .where('reply_to', '=', messageUuid)
        .where('state', '=', 'writing')
        .execute();
    });
  }

  createOutgoing(key: ConversationKey, chain: MessageChain, text: string): Promise<Message> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await this.#insert(transaction, await this.#conversation(transaction, key), {
        direction: 'outbound',
        platform_message_id: null,
        reply_to: null,
        sender_id: key.bot_uuid,
        sender_name: '',
        message_chain: JSON.stringify(chain),
        text,
        state: 'finished',
        sent_at: null,
      });
      await this.#createDelivery(transaction, row.uuid, 'sending');
      return this.#byUuid(transaction, row.uuid);
    });
  }

  async settleDelivery(messageUuid: string, outcome: DeliveryOutcome): Promise<void> {
    await this.#endDelivery(this.#database, messageUuid, outcome);
  }

  async history(conversationUuid: string, beforeSequence: number, rounds: number): Promise<Message[]> {
    const questions = await this.#messages(this.#database)
      .where('messages.conversation_uuid', '=', conversationUuid)
      .where('messages.sequence', '<', beforeSequence)
      .where('messages.state', '=', 'answered')
      .orderBy('messages.sequence', 'desc')
      .limit(rounds)
      .execute();
    const places = new Map(questions.map((question) => [question.uuid, question.sequence]));
    const first = questions.length < rounds ? 0 : (questions.at(-1)?.sequence ?? 0);
    const said = await this.#messages(this.#database)
      .where('messages.conversation_uuid', '=', conversationUuid)
      .where('messages.sequence', '>', first)
      .where('messages.state', '=', 'finished')
      .where(({ eb, or, and }) => {
        const unasked = and([eb('messages.reply_to', 'is', null), eb('messages.sequence', '<', beforeSequence)]);
        return places.size === 0 ? unasked : or([unasked, eb('messages.reply_to', 'in', [...places.keys()])]);
      })
      .orderBy('messages.sequence', 'desc')
      .limit(rounds * 2)
      .execute();
    // An answer stands after its question, also when more was asked before it was written.
    const place = (row: JoinedRow) => places.get(row.reply_to ?? '') ?? row.sequence;
    return [...questions, ...said]
      .sort((left, right) => place(left) - place(right) || left.sequence - right.sequence)
      .map(toMessage);
  }

  async currentConversation(key: ConversationKey): Promise<Conversation | null> {
    const row = await this.#current(this.#database, key).executeTakeFirst();
    return row === undefined ? null : toConversation(row);
  }

  async conversationMessages(conversationUuid: string, limit: number): Promise<Message[]> {
    const rows = await this.#messages(this.#database)
      .where('messages.conversation_uuid', '=', conversationUuid)
      .where('messages.state', '!=', 'writing')
      .orderBy('messages.sequence', 'desc')
      .limit(limit)
      .execute();
    return rows.reverse().map(toMessage);
  }

  async endConversation(key: ConversationKey): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('conversations')
      .set({ is_current: 0, updated_at: now() })
      .where('is_current', '=', 1)
      .where((where) => where.and(key))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  #current(database: Database, key: ConversationKey) {
    return database
      .selectFrom('conversations')
      .selectAll()
      .where('is_current', '=', 1)
      .where((where) => where.and(key));
  }

  /** The current conversation under a key, made when there is none. Two calls that race get the same one. */
  async #conversation(transaction: Transaction<Tables>, key: ConversationKey): Promise<ConversationRow> {
    const current = await this.#current(transaction, key)
      // Deliveries of the same message wait for each other here; SQLite has one writer at a time anyway.
      .$if(this.#engine === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
    if (current !== undefined) return current;
    const created_at = now();
    return transaction
      .insertInto('conversations')
      .values({ ...key, uuid: newUuid(), is_current: 1, last_sequence: 0, created_at, updated_at: created_at })
      .onConflict((conflict) =>
        conflict
          .columns(['bot_uuid', 'session_type', 'session_id', 'thread_id', 'pipeline_uuid'])
          .where('is_current', '=', sql.lit(1))
          // Somebody was faster: this locks theirs and gives it back, in one step with finding it.
          .doUpdateSet({ updated_at: created_at }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  #conversationOf(transaction: Transaction<Tables>, message: Message): Promise<ConversationRow> {
    return transaction
      .selectFrom('conversations')
      .selectAll()
      .where('uuid', '=', message.conversation_uuid)
      .executeTakeFirstOrThrow();
  }

  /** Counting up locks the conversation's row, so its messages are numbered without gaps or doubles. */
  async #insert(
    transaction: Transaction<Tables>,
    conversation: ConversationRow,
    message: Omit<
      MessageRow,
      'position' | 'uuid' | 'bot_uuid' | 'conversation_uuid' | 'sequence' | 'reason' | 'created_at' | 'finished_at'
    >,
  ): Promise<{ uuid: string; sequence: number; created_at: string }> {
    const created_at = now();
    const { last_sequence: sequence } = await transaction
      .updateTable('conversations')
      .set(({ eb }) => ({ last_sequence: eb('last_sequence', '+', 1), updated_at: created_at }))
      .where('uuid', '=', conversation.uuid)
      .returning('last_sequence')
      .executeTakeFirstOrThrow();
    const uuid = newUuid();
    await transaction
      .insertInto('messages')
      .values({
        ...message,
        uuid,
        bot_uuid: conversation.bot_uuid,
        conversation_uuid: conversation.uuid,
        sequence,
        reason: null,
        created_at,
        finished_at: null,
      })
      .execute();
    return { uuid, sequence, created_at };
  }

  async #createDelivery(transaction: Transaction<Tables>, messageUuid: string, state: 'pending' | 'sending') {
    await transaction
      .insertInto('deliveries')
      .values({ message_uuid: messageUuid, state, reason: null, error: null, created_at: now(), updated_at: now() })
      .execute();
  }

  async #endDelivery(database: Database, messageUuid: string, outcome: DeliveryOutcome): Promise<void> {
    await database
      .updateTable('deliveries')
      .set({ ...outcome, updated_at: now() })
      .where('message_uuid', '=', messageUuid)
      .execute();
  }

  #messages(database: Database) {
    return database
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
      .selectAll('messages')
      .select([
        'conversations.pipeline_uuid',
        'conversations.session_type',
        'conversations.session_id',
        'conversations.thread_id',
      ]);
  }

  async #byUuid(database: Database, uuid: string): Promise<Message> {
    return toMessage(await this.#messages(database).where('messages.uuid', '=', uuid).executeTakeFirstOrThrow());
  }
}

/**
 * The condition of an index over few rows, word for word: a database takes such an index only where it sees the
 * condition, and it sees no values of parameters. Without it, the whole ledger would be read.
 */
function isIn(column: string, states: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} in (${sql.join(states.map((state) => sql.lit(state)))})`;
}

type JoinedRow = MessageRow & Pick<ConversationRow, 'pipeline_uuid' | 'session_type' | 'session_id' | 'thread_id'>;

function toMessage(row: JoinedRow): Message {
  const { position: _, sent_at: __, ...columns } = row;
  return {
    ...columns,
    direction: row.direction as Message['direction'],
    session_type: row.session_type as SessionType,
    message_chain: JSON.parse(row.message_chain) as MessageChain,
    state: row.state as MessageState,
    reason: row.reason as Message['reason'],
  };
}

function toConversation(row: ConversationRow): Conversation {
  const { is_current: _, last_sequence: __, updated_at: ___, ...columns } = row;
  return { ...columns, session_type: row.session_type as SessionType };
}
