import { sql } from 'kysely';
import type { Statistics } from '../../core/statistics/statistics.ts';
import type { StatisticsStore } from '../../core/statistics/statistics-store.ts';
import { firstUuidOf } from '../../lib/uuid.ts';
import type { Database } from '../database.ts';

/** Counts the ledger. The ids of messages begin with their moment and are indexed, so only recent rows are read. */
export class KyselyStatisticsStore implements StatisticsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async count({ activeSince, receivedSince }: Parameters<StatisticsStore['count']>[0]): Promise<Statistics> {
    const amount = sql<number>`cast(count(*) as integer)`;
    const sessions = this.#database
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.uuid', 'messages.conversation_uuid')
      .select(['conversations.bot_uuid', 'session_type', 'session_id', 'thread_id'])
      .distinct()
      .where('messages.uuid', '>=', firstUuidOf(activeSince))
      .where('conversations.bot_uuid', 'in', (query) => query.selectFrom('bots').select('uuid'));
    const counts = await this.#database
      .selectNoFrom((query) => [
        query.selectFrom(sessions.as('active')).select(amount.as('amount')).as('active_session_count'),
        query
          .selectFrom('conversations')
          .select(amount.as('amount'))
          .where('is_current', '=', 1)
          .where('bot_uuid', 'in', query.selectFrom('bots').select('uuid'))
          .as('conversation_count'),
        query
          .selectFrom('messages')
          .select(amount.as('amount'))
          .where('uuid', '>=', firstUuidOf(receivedSince))
          .where('direction', '=', 'inbound')
          .as('query_count'),
      ])
      .executeTakeFirstOrThrow();
    return {
      active_session_count: counts.active_session_count ?? 0,
      conversation_count: counts.conversation_count ?? 0,
      query_count: counts.query_count ?? 0,
    };
  }
}
