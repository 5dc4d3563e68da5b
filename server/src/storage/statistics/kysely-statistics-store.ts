import { sql } from 'kysely';
import type { StatisticsStore } from '../../core/statistics/statistics-store.ts';
import { firstUuidOf } from '../../lib/uuid.ts';
import type { Database } from '../database.ts';

const amount = sql<number>`cast(count(*) as integer)`;

/** Counts the ledger. Message ids start with their timestamp and are indexed, so only recent rows are read. */
export class KyselyStatisticsStore implements StatisticsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async count(activeSince: number): ReturnType<StatisticsStore['count']> {
    const sessions = this.#database
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
      .select(['conversations.bot_uuid', 'session_type', 'session_id', 'thread_id'])
      .distinct()
      .where('messages.uuid', '>=', firstUuidOf(activeSince))
      .where('conversations.bot_uuid', 'in', (query) => query.selectFrom('bots').select('uuid'));
    const { active } = await this.#database
      .selectFrom(sessions.as('sessions'))
      .select(amount.as('active'))
      .executeTakeFirstOrThrow();
    const { current } = await this.#database
      .selectFrom('conversations')
      .select(amount.as('current'))
      .where('is_current', '=', 1)
      .where('bot_uuid', 'in', (query) => query.selectFrom('bots').select('uuid'))
      .executeTakeFirstOrThrow();
    return { active_session_count: active, conversation_count: current };
  }

  async received(from: number, until: number): Promise<number> {
    const { received } = await this.#database
      .selectFrom('messages')
      .select(amount.as('received'))
      .where('uuid', '>=', firstUuidOf(from))
      .where('uuid', '<', firstUuidOf(until))
      .where('direction', '=', 'inbound')
      .executeTakeFirstOrThrow();
    return received;
  }
}
