import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { StorageError } from '../lib/storage-error.ts';
import type { Database } from './database.ts';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import type { Engine } from './engine.ts';
import { isEmpty, isMissing, refuseLostDatabase } from './lost-database.ts';
import { migrate } from './migrations/migrate.ts';
import { type Ownership, SoleOwnership } from './ownership.ts';
import { openPostgres, type PostgresKysely } from './postgres-database.ts';
import { PostgresOwnership } from './postgres-ownership.ts';
import { openSqlite, type SqliteKysely } from './sqlite-database.ts';
import { startFault } from './start-fault.ts';
import { StorageHealth } from './storage-health.ts';
import { probeDatabase, probeDirectory } from './storage-probes.ts';

/** An open database whose tables are up to date. */
export interface Storage {
  engine: Engine;
  database: Database;
  /** Names of the migrations that opening it applied. */
  migrated: readonly string[];
  /** Whether data can be stored. */
  health: StorageHealth;
  /** Whether this process may work on messages. */
  ownership: Ownership;
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
  /** Creates a new SQLite database even if an old one seems to be lost. Default false. */
  newDatabase?: boolean;
}

/** How long to wait for another process that holds a lock, milliseconds. */
export interface LockPatience {
  /** On the data directory. The wait stands still. */
  directory: number;
  /** On the PostgreSQL database, whose server takes a while to notice that a process died. */
  database: number;
}

/** Long enough for a command of the command line that brings the tables up to date. */
const defaultPatience: LockPatience = { directory: 3000, database: 5000 };

/**
 * Opens the storage for one process alone and brings its tables up to date.
 * @throws InUseError when another process has it open in this way
 * @throws Error with a message for the operator: changed migration, newer database, no connection
 */
export async function openStorage(options: StorageOptions, patience: LockPatience = defaultPatience): Promise<Storage> {
  let directoryLock: DirectoryLock | null = null;
  try {
    mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
    chmodSync(options.dataDir, 0o700);
    directoryLock = lockDirectory(options.dataDir, patience.directory);
    const lock = directoryLock;
    const storage =
      options.databaseUrl === null
        ? await openOwnSqlite(options)
        : await openOwnPostgres(options.databaseUrl, patience.database);
    return { ...storage, close: () => storage.close().finally(() => lock.release()) };
  } catch (error) {
    directoryLock?.release();
    throw options.databaseUrl === null ? startFault(error, databaseFile(options)) : error;
  }
}

async function openOwnSqlite(options: StorageOptions): Promise<Storage> {
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
    return opened({ engine: 'sqlite', database, migrated, health, ownership: new SoleOwnership() }, close);
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

async function openOwnPostgres(url: string, patienceMs: number): Promise<Storage> {
  const ownership = await PostgresOwnership.acquire(url, { patienceMs });
  const { database, health } = await connectPostgres(url);
  // The server does not answer on these connections either, and nothing else ends pending queries.
  ownership.onLost((why) => {
    if (why === 'silent') database.cutConnections();
  });
  const close = async () => {
    await database.destroy();
    await ownership.release();
  };
  try {
    const migrated = await migrate(database, 'postgres');
    await ownership.record();
    return opened({ engine: 'postgres', database, migrated, health, ownership }, close);
  } catch (error) {
    await close();
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

/** A PostgreSQL database with its health. Nothing is connected yet. */
export async function connectPostgres(url: string): Promise<{ database: PostgresKysely; health: StorageHealth }> {
  const health: StorageHealth = new StorageHealth({
    probe: () => probeDatabase(database),
    stuck: () => new StorageError('unreachable', 'The database does not answer'),
  });
  const database = await openPostgres(url, health.failed);
  return { database, health };
}

/** The database file when PostgreSQL is not used. */
export function databaseFile({ dataDir }: Pick<StorageOptions, 'dataDir'>): string {
  return join(dataDir, 'parley.db');
}

/** A storage of an open database whose tables are up to date. */
export function opened(
  storage: Pick<Storage, 'engine' | 'database' | 'migrated' | 'health' | 'ownership'>,
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
