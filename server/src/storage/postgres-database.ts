import { type Dialect, Kysely } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { classified } from './classify-error.ts';
import type { Tables } from './database.ts';
import { StorablePostgresDialect } from './dialects.ts';
import { PostgresPipeline } from './postgres-pipeline.ts';

/** PostgreSQL's type number of a 64-bit integer, which counts are. */
const int8 = 20;
/** Longest wait for a connection, to a server that is not there or while all are in use. */
const connectionTimeoutMillis = 10_000;

/** Connections for everything, by default. */
const commonConnections = 10;
/** Connections for short statements that must not wait for those that transactions hold. */
const reservedConnections = 2;
/** Connections for batches of the ledger, which has one in progress. */
const batchConnections = 2;
/** The connection of the beat. */
const beatConnections = 1;

/** How many connections a replica opens at most. @param poolSize those for everything */
export function connectionsOf(poolSize: number = commonConnections): number {
  return poolSize + reservedConnections + batchConnections + beatConnections;
}

interface PostgresConnections {
  common: Dialect;
  reserved: Dialect;
  batches: Dialect;
  clients: ReadonlySet<PoolClient>;
  /** Calls the connections otherwise that are made from now on. */
  name: (name: string) => void;
  isDirect: () => Promise<boolean>;
  poolSize: number;
}

/** A PostgreSQL database with its pools of connections. */
export class PostgresKysely extends Kysely<Tables> {
  /**
   * The same database for single statements that must not wait. After a start with many messages, transactions that wait
   * for one another's locks hold all common connections for seconds.
   */
  readonly reserved: Kysely<Tables>;
  /** The same database for batches of the ledger. */
  readonly batches: PostgresPipeline;
  /** Connections that are for everything. */
  readonly poolSize: number;
  /**
   * Whether its connections lead to the server itself. Behind a pooler, what the server tells of sessions and connections is
   * about those of the pooler, which it gives to others as well.
   * @throws StorageError
   */
  readonly isDirect: () => Promise<boolean>;
  readonly #clients: ReadonlySet<PoolClient>;
  readonly #name: (name: string) => void;

  constructor({ common, reserved, batches, clients, name, isDirect, poolSize }: PostgresConnections) {
    super({ dialect: common });
    this.reserved = new Kysely({ dialect: reserved });
    this.batches = new PostgresPipeline(batches);
    this.#clients = clients;
    this.#name = name;
    this.isDirect = isDirect;
    this.poolSize = poolSize;
  }

  override async destroy(): Promise<void> {
    await Promise.all([super.destroy(), this.reserved.destroy(), this.batches.destroy()]);
  }

  /** Cuts all connections. Queries on them fail at once; the pool connects again when needed. */
  cutConnections(): void {
    for (const client of this.#clients)
      client.connection.stream.destroy(new Error('Connection terminated unexpectedly'));
  }

  /** Calls its connections otherwise, as the server shows them. Those that are open are cut. */
  nameConnections(name: string): void {
    this.#name(name);
    this.cutConnections();
  }
}

interface OpenPostgresOptions {
  /** Receives each database error before it is thrown. */
  failed?: (error: unknown) => void;
  /** How the server shows its connections. Default `parley`. */
  name?: string;
  /** Connections for everything; {@link connectionsOf} tells how many there are in all. Default 10. */
  poolSize?: number;
  /** Whether statements of every message are prepared under names. Default true. */
  namedStatements?: boolean;
}

/** Opens a PostgreSQL database. The driver is loaded only here, since most installations do not use it. */
export async function openPostgres(
  url: string,
  {
    failed = () => {},
    name = 'parley',
    poolSize = commonConnections,
    namedStatements = true,
  }: OpenPostgresOptions = {},
): Promise<PostgresKysely> {
  const { default: postgres } = await import('pg');
  postgres.types.setTypeParser(int8, Number);
  const clients = new Set<PoolClient>();
  const pools: Pool[] = [];
  const poolOf = (max: number, pipeline = false) => {
    const pool = new postgres.Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis,
      application_name: name,
      keepAlive: true,
      pipeline,
    });
    pools.push(pool);
    // A connection that breaks is replaced by the pool, and the query on it fails; without listeners, for the idle ones
    // and for those in use, it would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.on('error', () => {});
      clients.add(client);
    });
    pool.on('remove', (client) => clients.delete(client));
    return pool;
  };
  // Nothing is set for a session: a pooler of transactions gives it to others.
  const dialectOf = (pool: Pool, prepares = false) => new StorablePostgresDialect({ pool }, { failed, prepares });
  const reserved = poolOf(reservedConnections);
  return new PostgresKysely({
    common: dialectOf(poolOf(poolSize)),
    reserved: dialectOf(reserved, namedStatements),
    batches: dialectOf(poolOf(batchConnections, true), namedStatements),
    clients,
    poolSize,
    isDirect: () => classified(() => leadsToServer(reserved)),
    name: (changed) => {
      for (const { options } of pools) options.application_name = changed;
    },
  });
}

async function leadsToServer(pool: Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    // What the other end of the connection calls itself. Its type does not say so.
    return rows[0]?.pid === (client as unknown as { processID: number }).processID;
  } finally {
    client.release();
  }
}
