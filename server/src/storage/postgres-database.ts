import { Kysely, PostgresDialect } from 'kysely';
import type { Database, Tables } from './database.ts';

/** PostgreSQL's type number of a 64-bit integer, which counts are. */
const int8 = 20;

/** Opens a PostgreSQL database. The driver is loaded only here, since most installations do without. */
export async function openPostgres(url: string): Promise<Database> {
  const { default: postgres } = await import('pg');
  postgres.types.setTypeParser(int8, Number);
  const pool = new postgres.Pool({ connectionString: url, max: 20, application_name: 'parley' });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
