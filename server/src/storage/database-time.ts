import { sql } from 'kysely';
import { followDatabase } from '../lib/clock.ts';
import type { PostgresKysely } from './postgres-database.ts';
import { unreachableError } from './unreachable-error.ts';

/**
 * Has this process follow the clock of a PostgreSQL database, before it stores anything.
 * @throws Error with a message for the operator when the database cannot be reached
 */
export async function followTime(database: PostgresKysely): Promise<void> {
  const sent = Date.now();
  const query = sql<{ present: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as double precision) as present`;
  const { rows } = await query.execute(database).catch((error: unknown) => {
    throw unreachableError(error);
  });
  for (const row of rows) followDatabase({ database: row.present, sent, answered: Date.now() });
}
