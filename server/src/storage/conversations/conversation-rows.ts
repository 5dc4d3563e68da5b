import type { SessionType } from '@parley/sdk';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Conversation, ConversationKey } from '../../core/conversations/conversation.ts';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Database, Tables } from '../database.ts';
import type { Engine } from '../engine.ts';
import { Statement } from '../statement.ts';

export type ConversationRow = Selectable<Tables['conversations']>;

/** The rows of conversations. */
export class ConversationRows {
  readonly #database: Database;
  readonly #current: Statement<ConversationRow, ConversationKey>;
  readonly #lockCurrent: Statement<ConversationRow, ConversationKey>;
  readonly #engine: Engine;
  readonly #lock: Statement<unknown, { uuid: string }>;
  readonly #insert: Statement<ConversationRow, ConversationKey & { uuid: string; timestamp: string }>;
  readonly #count: Statement<{ last_sequence: number }, { uuid: string; timestamp: string }>;

  constructor(database: Database, engine: Engine) {
    this.#database = database;
    this.#engine = engine;
    const current = (key: ConversationKey) =>
      database
        .selectFrom('conversations')
        .selectAll()
        // As the index has it, word for word.
        .where('is_current', '=', sql.lit(1))
        .where('bot_uuid', '=', key.bot_uuid)
        .where('session_type', '=', key.session_type)
        .where('session_id', '=', key.session_id)
        .where('thread_id', '=', key.thread_id)
        .where('pipeline_uuid', '=', key.pipeline_uuid);
    const locks = engine === 'postgres';
    this.#current = new Statement(database, current);
    this.#lockCurrent = new Statement(database, (key) => current(key).$if(locks, (query) => query.forUpdate()));
    this.#lock = new Statement(database, ({ uuid }) =>
      database.selectFrom('conversations').select('uuid').where('uuid', '=', uuid).forUpdate(),
    );
    this.#insert = new Statement(database, (values) =>
      database
        .insertInto('conversations')
        .values({
          uuid: values.uuid,
          bot_uuid: values.bot_uuid,
          pipeline_uuid: values.pipeline_uuid,
          session_type: values.session_type,
          session_id: values.session_id,
          thread_id: values.thread_id,
          is_current: 1,
          last_sequence: 0,
          runner_state: null,
          created_at: values.timestamp,
          updated_at: values.timestamp,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['bot_uuid', 'session_type', 'session_id', 'thread_id', 'pipeline_uuid'])
            .where('is_current', '=', sql.lit(1))
            // A concurrent insert won: this locks and returns that row in one step.
            .doUpdateSet({ updated_at: values.timestamp }),
        )
        .returningAll(),
    );
    this.#count = new Statement(database, ({ uuid, timestamp }) =>
      database
        .updateTable('conversations')
        .set(({ eb }) => ({ last_sequence: eb('last_sequence', '+', 1), updated_at: timestamp }))
        .where('uuid', '=', uuid)
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
  const { uuid, bot_uuid, pipeline_uuid, session_id, thread_id, created_at } = row;
  return {
    uuid,
    bot_uuid,
    pipeline_uuid,
    session_type: row.session_type as SessionType,
    session_id,
    thread_id,
    created_at,
  };
}
