import { type Selectable, sql, type Transaction } from 'kysely';
import type { Conversation, ConversationKey } from '../../core/conversations/conversation.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { PreparedQuery, type ValueOf } from '../prepared-query.ts';
import { columnsOf } from '../table-columns.ts';

export type ConversationRow = Selectable<Tables['conversations']>;

/** The rows of conversations. */
export class ConversationRows {
  readonly #database: Database;
  readonly #current: PreparedQuery<ConversationRow, ConversationKey>;
  readonly #lockCurrent: PreparedQuery<ConversationRow, ConversationKey>;
  readonly #engine: Engine;
  readonly #lock: PreparedQuery<unknown, { uuid: string }>;
  readonly #insert: PreparedQuery<ConversationRow, ConversationKey & { uuid: string; timestamp: string }>;
  readonly #count: PreparedQuery<{ last_sequence: number }, { uuid: string; timestamp: string }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
    const current = (value: ValueOf<ConversationKey>) =>
      database
        .selectFrom('conversations')
        .select(columnsOf('conversations'))
        // As the index has it, word for word.
        .where('is_current', '=', sql.lit(1))
        .where('bot_uuid', '=', value('bot_uuid'))
        .where('session_type', '=', value('session_type'))
        .where('session_id', '=', value('session_id'))
        .where('thread_id', '=', value('thread_id'))
        .where('pipeline_uuid', '=', value('pipeline_uuid'));
    const locks = engine === 'postgres';
    this.#current = new PreparedQuery(database, current);
    this.#lockCurrent = new PreparedQuery(database, (value) =>
      current(value).$if(locks, (query) => query.forNoKeyUpdate()),
    );
    this.#lock = new PreparedQuery(database, (value) =>
      database.selectFrom('conversations').select('uuid').where('uuid', '=', value('uuid')).forNoKeyUpdate(),
    );
    this.#insert = new PreparedQuery(database, (value) =>
      database
        .insertInto('conversations')
        .values({
          uuid: value('uuid'),
          bot_uuid: value('bot_uuid'),
          pipeline_uuid: value('pipeline_uuid'),
          session_type: value('session_type'),
          session_id: value('session_id'),
          thread_id: value('thread_id'),
          is_current: 1,
          last_sequence: 0,
          runner_state: null,
          created_at: value('timestamp'),
          updated_at: value('timestamp'),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['bot_uuid', 'session_type', 'session_id', 'thread_id', 'pipeline_uuid'])
            .where('is_current', '=', sql.lit(1))
            // A concurrent insert won: this locks and returns that row in one step.
            .doUpdateSet({ updated_at: value('timestamp') }),
        )
        .returning(columnsOf('conversations')),
    );
    this.#count = new PreparedQuery(database, (value) =>
      database
        .updateTable('conversations')
        .set(({ eb }) => ({ last_sequence: eb('last_sequence', '+', 1), updated_at: value('timestamp') }))
        .where('uuid', '=', value('uuid'))
        .returning('last_sequence'),
    );
  }

  async current(key: ConversationKey): Promise<Conversation | null> {
    const row = await this.#current.first(this.#database, key);
    return row === undefined ? null : toConversation(row);
  }

  /** The current conversation under a key, locked; created if there is none. Concurrent calls get the same one. */
  async lockCurrent(transaction: Transaction<Tables>, key: ConversationKey): Promise<ConversationRow> {
    return (
      (await this.#lockCurrent.first(transaction, key)) ??
      (await this.#insert.one(transaction, { ...key, uuid: newUuid(), timestamp: now() }))
    );
  }

  /** Has whatever else is done in a conversation wait. SQLite has one writer at a time anyway. */
  async lock(transaction: Transaction<Tables>, uuid: string): Promise<void> {
    if (this.#engine === 'postgres') await this.#lock.run(transaction, { uuid });
  }

  /** The place of the next message. Counting locks the row, so there are neither gaps nor doubles. */
  async nextSequence(transaction: Transaction<Tables>, uuid: string, timestamp: string): Promise<number> {
    return (await this.#count.one(transaction, { uuid, timestamp })).last_sequence;
  }

  /** When a conversation started. */
  async since(uuid: string): Promise<string> {
    const { created_at } = await this.#database
      .selectFrom('conversations')
      .select('created_at')
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow();
    return created_at;
  }
}

function toConversation(row: ConversationRow): Conversation {
  const { uuid, bot_uuid, pipeline_uuid, session_type, session_id, thread_id, last_sequence, created_at } = row;
  return { uuid, bot_uuid, pipeline_uuid, session_type, session_id, thread_id, last_sequence, created_at };
}
