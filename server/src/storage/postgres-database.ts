import { Kysely } from 'kysely';
import type { Database, Tables } from './database.ts';
import { StorablePostgresDialect } from './dialects.ts';

/** PostgreSQL's type number of a 64-bit integer, which counts are. */
const int8 = 20;
/** Longest wait for a connection, to a server that is not there or while all are in use. */
const connectionTimeoutMillis = 10_000;

/** Opens a PostgreSQL database. The driver is loaded only here, since most installations do without. */
export async function openPostgres(url: string): Promise<Database> {
  const { default: postgres } = await import('pg');
  postgres.types.setTypeParser(int8, Number);
  const pool = new postgres.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis,
    application_name: 'parley',
  });
  // A connection that breaks is replaced by the pool, and the query on it fails; without listeners, for the idle ones
  // and for those in use, it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Tables>({ dialect: new StorablePostgresDialect({ pool }) });
}
