import { type Dialect, Kysely } from 'kysely';
import type { PoolClient } from 'pg';
import type { Tables } from './database.ts';
import { StorablePostgresDialect } from './dialects.ts';
import { PostgresPipeline } from './postgres-pipeline.ts';

/** PostgreSQL's type number of a 64-bit integer, which counts are. */
const int8 = 20;
/** Longest wait for a connection, to a server that is not there or while all are in use. */
const connectionTimeoutMillis = 10_000;

/** Connections for everything. */
const commonConnections = 20;
/** Connections for short statements that must not wait for those that transactions hold. */
const reservedConnections = 2;
/** Connections for batches of the ledger, which has one in progress. */
const batchConnections = 2;

/**
 * Set to off where statements over lists of rows are prepared: the server takes a list for a hundred rows, and would rather
 * read the whole of a table of some ten thousand than look for these.
 */
export const unusedPlans = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'] as const;

interface PostgresConnections {
  common: Dialect;
  reserved: Dialect;
  batches: Dialect;
  clients: ReadonlySet<PoolClient>;
}

/** A PostgreSQL database with its pools of connections. */
export class PostgresKysely extends Kysely<Tables> {
  /**
   * The same database for single statements that must not wait. After a start with many messages, transactions that wait
   * for one another's locks hold all common connections for seconds.
   */
  readonly reserved: Kysely<Tables>;
  /** The same database for batches of the ledger. Its connections prepare statements. */
  readonly batches: PostgresPipeline;
  readonly #clients: ReadonlySet<PoolClient>;

  constructor({ common, reserved, batches, clients }: PostgresConnections) {
    super({ dialect: common });
    this.reserved = new Kysely({ dialect: reserved });
    this.batches = new PostgresPipeline(batches);
    this.#clients = clients;
  }

  override async destroy(): Promise<void> {
    await Promise.all([super.destroy(), this.reserved.destroy(), this.batches.destroy()]);
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
  const clients = new Set<PoolClient>();
  const dialectOf = (max: number, { prepares = false, pipeline = false }) => {
    const pool = new postgres.Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis,
      application_name: 'parley',
      keepAlive: true,
      pipeline,
    });
    // A connection that breaks is replaced by the pool, and the query on it fails; without listeners, for the idle ones
    // and for those in use, it would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.on('error', () => {});
      clients.add(client);
      // When it fails, so does what follows on the connection.
      if (prepares) client.query(unusedPlans.map((name) => `set ${name} = off`).join(';')).catch(() => {});
    });
    pool.on('remove', (client) => clients.delete(client));
    return new StorablePostgresDialect({ pool }, { failed, prepares });
  };
  return new PostgresKysely({
    common: dialectOf(commonConnections, {}),
    reserved: dialectOf(reservedConnections, { prepares: true }),
    batches: dialectOf(batchConnections, { prepares: true, pipeline: true }),
    clients,
  });
}
