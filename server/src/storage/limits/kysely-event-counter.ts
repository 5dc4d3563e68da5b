import { sql } from 'kysely';
import type { EventCounter } from '../../core/limits/event-counter.ts';
import type { Database } from '../database.ts';
import { PreparedQuery } from '../prepared-query.ts';

/** Maximum length of the recent event ids that are stored: 16 of them, in brackets. */
export const remembered = 16 * 66;

/** One row for each key with its latest window: the table grows with the number of keys, not of events. */
export class KyselyEventCounter implements EventCounter {
  readonly #database: Database;
  readonly #count: PreparedQuery<{ count: number }, Count>;
  readonly #look: PreparedQuery<{ count: number; events: string }, { key: string }>;

  constructor(database: Database) {
    this.#database = database;
    this.#count = countQuery(database);
    this.#look = new PreparedQuery(database, (value) =>
      database.selectFrom('event_counts').select(['count', 'events']).where('key', '=', value('key')),
    );
  }

  async countEvent(key: string, windowStart: number, limit: number, event: string): Promise<number> {
    if (limit < 1) return limit + 1;
    const name = `<${event}>`;
    const counted = await this.#count.first(this.#database, { key, windowStart, limit, event: name });
    if (counted !== undefined) return counted.count;
    const row = await this.#look.first(this.#database, { key });
    return row?.events.includes(name) ? Math.min(row.count, limit) : limit + 1;
  }

  async removeOutside(since: number, until: number, limit: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('event_counts')
      .where('key', 'in', (query) =>
        query
          .selectFrom('event_counts')
          .select('key')
          .where((where) => where.or([where('window_start', '<', since), where('window_start', '>', until)]))
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}

interface Count {
  key: string;
  windowStart: number;
  limit: number;
  event: string;
}

/**
 * Counts in one statement, so that concurrent counts are not lost. The later of two windows applies: processes whose
 * clocks differ count in the same one. Returns no row when the limit is reached or the event was already counted.
 */
function countQuery(database: Database) {
  return new PreparedQuery<{ count: number }, Count>(database, (value) => {
    const isLater = sql<boolean>`excluded.window_start > event_counts.window_start`;
    return database
      .insertInto('event_counts')
      .values({ key: value('key'), window_start: value('windowStart'), count: 1, events: value('event') })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({
            window_start: sql<number>`case when ${isLater} then excluded.window_start else event_counts.window_start end`,
            count: sql<number>`case when ${isLater} then 1 else event_counts.count + 1 end`,
            events: sql<string>`substr(excluded.events || event_counts.events, 1, ${sql.lit(remembered)})`,
          })
          .where(sql<boolean>`(${isLater} or event_counts.count < ${value('limit')})`)
          .where(sql<boolean>`replace(event_counts.events, excluded.events, '') = event_counts.events`),
      )
      .returning('count');
  });
}
