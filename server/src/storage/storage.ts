import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { followMachine } from '../lib/clock.ts';
import { StorageError } from '../lib/storage-error.ts';
import { newUuid } from '../lib/uuid.ts';
import { type ConnectionBudget, requireConnections } from './connection-budget.ts';
import type { Database } from './database.ts';
import { followTime } from './database-time.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import type { Engine } from './engine.ts';
import { isEmpty, isMissing, refuseLostDatabase } from './lost-database.ts';
import { newestMigration } from './migrations/index.ts';
import { migrate } from './migrations/migrate.ts';
import { openPostgres, type PostgresKysely } from './postgres-database.ts';
import { dataFolderId } from './replicas/data-folder-id.ts';
import { PostgresReplica } from './replicas/postgres-replica.ts';
import { type Replica, SoleReplica } from './replicas/replica.ts';
import { enterOnly } from './replicas/replica-rows.ts';
import { sessionName } from './replicas/replica-statements.ts';
import { inUseError, isUnused, requireUnused } from './replicas/unused-database.ts';
import { openSqlite, type SqliteKysely } from './sqlite-database.ts';
import { startFault } from './start-fault.ts';
import { StorageHealth } from './storage-health.ts';
import { probeDatabase, probeDirectory } from './storage-probes.ts';
import { expandTables } from './table-upgrade.ts';

/** An open database whose tables are up to date. */
export interface Storage {
  engine: Engine;
  database: Database;
  /** Names of the migrations that opening it applied. */
  migrated: readonly string[];
  /** Whether data can be stored. */
  health: StorageHealth;
  /** Whether this process may work on messages. */
  replica: Replica;
  /** How many connections it takes of those that the server has; null where that is not known. */
  connections: ConnectionBudget | null;
  /** Answers whether the database can be reached. */
  ping(): Promise<void>;
  /** Has something done before the database is closed. */
  onClose(work: () => Promise<void>): void;
  close(): Promise<void>;
}

export interface StorageOptions {
  dataDir: string;
  /** `postgres://…`; null for SQLite in the data directory. */
  databaseUrl: string | null;
  /** Connections to PostgreSQL for everything, see `OpenPostgresOptions`. */
  databasePoolSize?: number;
  /** As of `OpenPostgresOptions`. */
  databaseNamedStatements?: boolean;
  /** Creates a new SQLite database even if an old one seems to be lost. Default false. */
  newDatabase?: boolean;
}

/** How a storage is opened by one process for its data folder. */
export interface OpenOptions {
  /**
   * How long to wait for another process that has locked the data directory, milliseconds; the wait stands still. Default
   * 3 s, long enough for a command of the command line that brings the tables up to date.
   */
  patienceMs?: number;
  /** Whether no other process may work on the database, which on PostgreSQL they may otherwise. Default false. */
  isAlone?: boolean;
  /** Of the program, for other replicas. Default none. */
  version?: string;
}

/**
 * Opens the storage for one process, the only one on its data folder, and brings its tables up to date, on PostgreSQL as
 * `expandTables` does. There it is a replica: {@link Storage.replica} says whether it may work on messages.
 * @throws InUseError when another process has locked the data folder, or works on the database though it must not
 * @throws Error with a message for the operator: changed migration, newer database, no connection
 */
export async function openStorage(
  options: StorageOptions,
  { patienceMs = 3000, isAlone = false, version = '' }: OpenOptions = {},
): Promise<Storage> {
  let directoryLock: DirectoryLock | null = null;
  try {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
    chmodSync(options.dataDir, 0o700);
    directoryLock = lockDirectory(options.dataDir, patienceMs);
    const lock = directoryLock;
    const storage =
      options.databaseUrl === null
        ? await openOwnSqlite(options, version)
        : await openReplica(options.databaseUrl, options, { isAlone, version });
    return { ...storage, close: () => storage.close().finally(() => lock.release()) };
  } catch (error) {
    directoryLock?.release();
    throw options.databaseUrl === null ? startFault(error, databaseFile(options)) : error;
  }
}

async function openOwnSqlite(options: StorageOptions, version: string): Promise<Storage> {
  followMachine();
  const place = { dataDir: options.dataDir, file: databaseFile(options) };
  const mayBeNew = options.newDatabase === true;
  if (!mayBeNew && isMissing(place.file)) refuseLostDatabase(place);
  const { database, health } = connectSqlite(options);
  try {
    if (!mayBeNew && (await isEmpty(database))) refuseLostDatabase(place);
    const migrated = await migrate(database, 'sqlite');
    // The connection for reads still knows the former columns: `select *` that is prepared before it has read anything
    // would be without the new ones.
    database.readCommitted('select name from migrations', []);
    const close = () => database.destroy();
    const replica = new SoleReplica();
    await enterOnly(database, {
      id: replica.id,
      folder: dataFolderId(options.dataDir),
      version,
      schema: newestMigration,
    });
    return opened({ engine: 'sqlite', database, migrated, health, replica, connections: null }, close);
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

async function openReplica(
  url: string,
  options: StorageOptions,
  { isAlone, version }: Required<Omit<OpenOptions, 'patienceMs'>>,
): Promise<Storage> {
  const id = newUuid();
  const { database, health } = await connectPostgres(url, options, sessionName(id));
  try {
    await followTime(database);
    const connections = await requireConnections(database);
    const folder = dataFolderId(options.dataDir);
    if (isAlone) await requireUnused(database, folder);
    const migrated = await expandTables(database, folder);
    const replica = await PostgresReplica.enter(url, id, database, { folder, version });
    const close = async () => {
      await database.destroy();
      await replica.leave();
      followMachine();
    };
    // Another one started at the same time.
    if (isAlone && !(await isUnused(database, folder))) {
      await replica.leave();
      throw inUseError();
    }
    return opened({ engine: 'postgres', database, migrated, health, replica, connections }, close);
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** A SQLite file with its health. */
export function connectSqlite(options: StorageOptions): { database: SqliteKysely; health: StorageHealth } {
  const health: StorageHealth = new StorageHealth({
    probe: async () => {
      await probeDirectory(options.dataDir);
      await probeDatabase(database);
    },
    stuck: () => new StorageError('locked', 'The database file is locked, or the disk does not answer'),
  });
  const database = openSqlite(databaseFile(options), { failed: health.failed });
  return { database, health };
}

/**
 * A PostgreSQL database with its health. Nothing is connected yet.
 * @param name how the server shows its connections
 */
export async function connectPostgres(
  url: string,
  { databasePoolSize: poolSize, databaseNamedStatements: namedStatements }: StorageOptions,
  name?: string,
): Promise<{ database: PostgresKysely; health: StorageHealth }> {
  const health: StorageHealth = new StorageHealth({
    probe: () => probeDatabase(database),
    stuck: () => new StorageError('unreachable', 'The database does not answer'),
  });
  const database = await openPostgres(url, {
    failed: health.failed,
    ...(name !== undefined && { name }),
    ...(poolSize !== undefined && { poolSize }),
    ...(namedStatements !== undefined && { namedStatements }),
  });
  return { database, health };
}

/** The database file when PostgreSQL is not used. */
export function databaseFile({ dataDir }: Pick<StorageOptions, 'dataDir'>): string {
  return join(dataDir, 'parley.db');
}

/** A storage of an open database whose tables are up to date. */
export function opened(
  storage: Pick<Storage, 'engine' | 'database' | 'migrated' | 'health' | 'replica' | 'connections'>,
  close: () => Promise<void>,
): Storage {
  const before: (() => Promise<void>)[] = [];
  return {
    ...storage,
    ping: async () => {
      await sql`select 1`.execute(storage.database);
    },
    onClose: (work) => void before.push(work),
    close: async () => {
      for (const work of before.splice(0)) await work();
      await storage.health.close();
      await close();
    },
  };
}
