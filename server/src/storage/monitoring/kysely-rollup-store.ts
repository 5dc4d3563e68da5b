import { sql, type Transaction } from 'kysely';
import { addMilliseconds, dayOf, startOfNextDay } from '../../core/monitoring/hours.ts';
import { measures } from '../../core/monitoring/measures.ts';
import type { CountedHours, HourMark, Rollup, RollupStore } from '../../core/monitoring/rollup-store.ts';
import type { DutyName } from '../../core/replicas/duty.ts';
import type { Database, Tables } from '../database.ts';
import type { Replica } from '../replicas/replica.ts';
import { summedUpUntil } from './figures.ts';

/** Rows of one statement; SQLite takes some 32 000 values. */
const rowsAtOnce = 500;

/** Source tables of rollups, with their timestamp column. */
const timestamps = [
  ['messages', 'created_at'],
  ['model_calls', 'started_at'],
  ['tool_calls', 'started_at'],
  ['deliveries', 'updated_at'],
  ['embedding_calls', 'started_at'],
] as const;

/** Only one replica at a time sums up: two would undo each other's work. */
const duty: DutyName = 'roll-ups';

interface RollupStoreOptions {
  replica: Pick<Replica, 'assertHolds'>;
  /** Counts hours in the ledger, elsewhere. */
  countHours: (hours: readonly string[]) => Promise<CountedHours>;
}

/** The sums of hours and days in the database. */
export class KyselyRollupStore implements RollupStore {
  readonly #database: Database;
  readonly #options: RollupStoreOptions;

  constructor(database: Database, options: RollupStoreOptions) {
    this.#database = database;
    this.#options = options;
  }

  async until(): Promise<string | null> {
    const [row] = await untilOf(this.#database).execute();
    return row?.value ?? null;
  }

  async firstTimestamp(from: string | null): Promise<string | null> {
    let first: string | null = null;
    for (const [table, column] of timestamps) {
      const timestamp = sql.ref(column);
      // Verbatim as in the index.
      const failed = table === 'deliveries' ? sql` and state in ('failed', 'uncertain')` : sql``;
      const { rows } = await sql<{ timestamp: string }>`select ${timestamp} as timestamp from ${sql.table(table)}
        where ${timestamp} >= ${from ?? ''}${failed} order by ${timestamp} limit 1`.execute(this.#database);
      const found = rows[0]?.timestamp;
      if (found !== undefined && (first === null || found < first)) first = found;
    }
    return first;
  }

  async markedHours(before: string): Promise<string[]> {
    const marked = this.#database.selectFrom('monitoring_marks').select('hour').distinct().orderBy('hour');
    const [first] = await marked.where('hour', '<', before).limit(1).execute();
    if (first === undefined) return [];
    const end = startOfNextDay(first.hour) < before ? startOfNextDay(first.hour) : before;
    const rows = await marked.where('hour', '>=', first.hour).where('hour', '<', end).execute();
    return rows.map(({ hour }) => hour);
  }

  count(hours: readonly string[]): Promise<CountedHours> {
    return this.#options.countHours(hours);
  }

  async replace(hour: string, rollups: readonly Rollup[], marks: readonly HourMark[], until: string): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await this.#options.replica.assertHolds(transaction, duty);
      await transaction.deleteFrom('monitoring_rollups').where('span', '=', 'hour').where('start', '=', hour).execute();
      for (let index = 0; index < rollups.length; index += rowsAtOnce) {
        const rows = rollups
          .slice(index, index + rowsAtOnce)
          .map((rollup) => ({ ...noMeasures, ...rollup, span: 'hour' }));
        await transaction.insertInto('monitoring_rollups').values(rows).execute();
      }
      for (let index = 0; index < marks.length; index += rowsAtOnce) {
        const ids = marks.slice(index, index + rowsAtOnce).map(({ id }) => id);
        await transaction.deleteFrom('monitoring_marks').where('id', 'in', ids).execute();
      }
      const before = await untilOf(transaction).executeTakeFirst();
      if (before?.value !== until) await writeUntil(transaction, until);
      const days = new Set([dayOf(hour), ...(before === undefined ? [] : [dayOf(before.value)])]);
      for (const day of days) if (startOfNextDay(day) <= until) await addUpDay(transaction, day);
    });
  }

  async setUntil(hour: string): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await this.#options.replica.assertHolds(transaction, duty);
      const before = await untilOf(transaction).executeTakeFirst();
      await writeUntil(transaction, hour);
      if (before !== undefined && startOfNextDay(before.value) <= hour)
        await addUpDay(transaction, dayOf(before.value));
      // No rows are left that are not in rollups.
      await transaction
        .deleteFrom('monitoring_rollups')
        .where('span', '=', 'hour')
        .where('start', '>=', hour)
        .execute();
    });
  }
}

const noMeasures = Object.fromEntries(measures.map((name) => [name, 0])) as Record<(typeof measures)[number], number>;

function untilOf(database: Database) {
  return database.selectFrom('metadata').select('value').where('key', '=', summedUpUntil);
}

async function writeUntil(transaction: Transaction<Tables>, value: string): Promise<void> {
  await transaction
    .insertInto('metadata')
    .values({ key: summedUpUntil, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Adds the hours of a day up. */
async function addUpDay(transaction: Transaction<Tables>, day: string): Promise<void> {
  await transaction.deleteFrom('monitoring_rollups').where('span', '=', 'day').where('start', '=', day).execute();
  const columns = sql.join(measures.map((name) => sql.ref(name)));
  const sums = sql.join(measures.map((name) => sql`cast(sum(${sql.ref(name)}) as bigint)`));
  await sql`
    insert into monitoring_rollups (span, start, bot_uuid, pipeline_uuid, model_name, ${columns})
    select 'day', ${day}, bot_uuid, pipeline_uuid, model_name, ${sums} from monitoring_rollups
    where span = 'hour' and start >= ${day} and start <= ${addMilliseconds(startOfNextDay(day), -1)}
    group by bot_uuid, pipeline_uuid, model_name`.execute(transaction);
}
