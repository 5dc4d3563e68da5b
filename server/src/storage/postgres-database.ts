import { type Dialect, Kysely } from 'kysely';
import type { PoolClient } from 'pg';
import type { Tables } from './database.ts';
import { StorablePostgresDialect } from './dialects.ts';

/** PostgreSQL's type number of a 64-bit integer, which counts are. */
const int8 = 20;
/** Longest wait for a connection, to a server that is not there or while all are in use. */
const connectionTimeoutMillis = 10_000;

/** A PostgreSQL database with its pool of connections. */
export class PostgresKysely extends Kysely<Tables> {
  readonly #clients: ReadonlySet<PoolClient>;

  constructor(dialect: Dialect, clients: ReadonlySet<PoolClient>) {
    super({ dialect });
    this.#clients = clients;
  }

  /** Cuts all connections. Queries on them fail at once; the pool connects again when needed. */
  cutConnections(): void {
    for (const client of this.#clients)
      client.connection.stream.destroy(new Error('Connection terminated unexpectedly'));
  }
}

/**
 * Opens a PostgreSQL database. The driver is loaded only here, since most installations do not use it.
 * @param failed receives each database error before it is thrown
 */
export async function openPostgres(url: string, failed: (error: unknown) => void = () => {}): Promise<PostgresKysely> {
  const { default: postgres } = await import('pg');
  postgres.types.setTypeParser(int8, Number);
  const pool = new postgres.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis,
    application_name: 'parley',
    keepAlive: true,
  });
  const clients = new Set<PoolClient>();
  // A connection that breaks is replaced by the pool, and the query on it fails; without listeners, for the idle ones
  // and for those in use, it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    clients.add(client);
  });
  pool.on('remove', (client) => clients.delete(client));
  return new PostgresKysely(new StorablePostgresDialect({ pool }, failed), clients);
}
