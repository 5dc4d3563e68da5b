import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { MessageRetention } from '../../core/messages/message-retention.ts';
import type { Database, Tables } from '../database.ts';
import { PostgresKysely } from '../postgres-database.ts';

/** Rows removed in one transaction: on SQLite, it blocks the process. */
const step = 20;

/** Removes old rows of the ledger in small batches, so that other work is not delayed. */
export class KyselyMessageRetention implements MessageRetention {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async removeBefore(timestamp: string, limit: number): Promise<number> {
    let removed = await inSteps(limit, (count) => this.#removeMessages(timestamp, count));
    removed += await inSteps(limit - removed, (count) => this.#removeConversations(timestamp, count));
    return removed;
  }

  #removeMessages(timestamp: string, count: number): Promise<number> {
    return this.#database.transaction().execute(async (transaction) => {
      const rows = await transaction
        .selectFrom('messages')
        .select(['uuid', 'conversation_uuid'])
        .where('created_at', '<', timestamp)
        // An answer is removed with its question, whatever its age. Written so that the index on answered messages is
        // not used, which has all questions in one entry.
        .where(sql`coalesce(reply_to, '')`, '=', '')
        .where('state', 'in', ['answered', 'stopped', 'failed', 'uncertain', 'finished'])
        .orderBy('created_at')
        .limit(count)
        .execute();
      const locked = await this.#lockSome(
        transaction,
        rows.map((row) => row.conversation_uuid),
      );
      const uuids = rows.filter((row) => locked.has(row.conversation_uuid)).map(({ uuid }) => uuid);
      if (uuids.length === 0) return 0;
      await transaction.deleteFrom('messages').where('reply_to', 'in', uuids).execute();
      await transaction.deleteFrom('messages').where('uuid', 'in', uuids).execute();
      return uuids.length;
    });
  }

  /**
   * A trigger changes the conversation of a removed message. So conversations are locked before messages are, as everywhere:
   * those that are free, or else one, since waiting for several could deadlock.
   */
  async #lockSome(transaction: Transaction<Tables>, uuids: readonly string[]): Promise<ReadonlySet<string>> {
    if (!(this.#database instanceof PostgresKysely) || uuids.length === 0) return new Set(uuids);
    const locked = transaction.selectFrom('conversations').select('uuid').forUpdate();
    const free = await locked.where('uuid', 'in', uuids).skipLocked().execute();
    const rows = free.length > 0 ? free : await locked.where('uuid', 'in', uuids.slice(0, 1)).execute();
    return new Set(rows.map(({ uuid }) => uuid));
  }

  async #removeConversations(timestamp: string, count: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('conversations')
      .where('uuid', 'in', ({ selectFrom }) =>
        selectFrom('conversations')
          .select('conversations.uuid')
          // As the index has it, word for word.
          .where('is_current', '=', sql.lit(0))
          .where('updated_at', '<', timestamp)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('messages')
                  .select('messages.uuid')
                  .whereRef('messages.conversation_uuid', '=', 'conversations.uuid'),
              ),
            ),
          )
          .orderBy('updated_at')
          .limit(count),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}

/** Removes up to a limit, until there is no more. */
async function inSteps(limit: number, remove: (count: number) => Promise<number>): Promise<number> {
  let removed = 0;
  while (removed < limit) {
    const count = Math.min(step, limit - removed);
    const last = await remove(count);
    removed += last;
    // Some may have been left out because their conversation was locked.
    if (last === 0) break;
    await nextTurn();
  }
  return removed;
}
