import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { followMachine } from '../lib/clock.ts';
import { followTime } from './database-time.ts';
import { InUseError } from './in-use-error.ts';
import { migrations } from './migrations/index.ts';
import { missingMigrations } from './migrations/migrate.ts';
import { SoleReplica } from './replicas/replica.ts';
import {
  connectPostgres,
  connectSqlite,
  databaseFile,
  opened,
  openStorage,
  type Storage,
  type StorageOptions,
} from './storage.ts';
import { requiredMigrations, type TableUpgrade, upgradeTables } from './table-upgrade.ts';

/** How long a process that has just started may take to bring the tables up to date. */
const defaultPatienceMs = 10_000;

/**
 * Opens the storage while a server may be using it. Both engines support several writers; the locks of
 * {@link openStorage} only prevent two servers from answering the same message. Here they are held only while missing
 * tables are created.
 * @throws Error with a message for the operator: tables older or newer than the program, no connection
 */
export async function openSharedStorage(options: StorageOptions, patienceMs = defaultPatienceMs): Promise<Storage> {
  const deadline = performance.now() + patienceMs;
  while (true) {
    const storage = await openUpToDate(options);
    if (storage !== null) return storage;
    try {
      await (await openStorage(options, { patienceMs: 0, isAlone: true })).close();
    } catch (error) {
      if (!(error instanceof InUseError)) throw error;
      // A server that starts at the same time is about to make them; one that has long started will not.
      if (performance.now() > deadline) throw olderError(error);
      await wait(100);
    }
  }
}

/**
 * The names of the migrations that are still to be applied. Changes nothing and needs no lock.
 * @throws Error with a message for the operator: newer tables, changed migration, no connection
 */
export async function missingInStorage(options: StorageOptions): Promise<string[]> {
  const connection = await connect(options);
  if (connection === null) return migrations.map(({ name }) => name);
  try {
    return await missingMigrations(connection.database, connection.engine);
  } finally {
    await connection.database.destroy();
  }
}

/**
 * Brings the tables up to date. On PostgreSQL, replicas may work on them meanwhile; on SQLite no server may run.
 * @throws InUseError when another process would not work with the new tables, or must not run
 * @throws Error with a message for the operator: newer tables, changed migration, no connection
 */
export async function upgradeStorage(options: StorageOptions): Promise<TableUpgrade> {
  if (options.databaseUrl === null) {
    const storage = await openStorage(options);
    await storage.close();
    return { applied: storage.migrated, waiting: [] };
  }
  const { database } = await connectPostgres(options.databaseUrl, options);
  try {
    await followTime(database);
    return await upgradeTables(database);
  } finally {
    await database.destroy();
    followMachine();
  }
}

/** Null while tables are missing. */
async function openUpToDate(options: StorageOptions): Promise<Storage | null> {
  const connection = await connect(options);
  if (connection === null) return null;
  const { database, engine } = connection;
  try {
    if ((await requiredMigrations(database, engine)).length === 0) {
      const close = () => database.destroy();
      return opened({ ...connection, migrated: [], replica: new SoleReplica(), connections: null }, close);
    }
  } catch (error) {
    await database.destroy();
    throw error;
  }
  await database.destroy();
  return null;
}

/** Null when there is no SQLite file yet; connecting to it would make one. */
async function connect(options: StorageOptions): Promise<Pick<Storage, 'database' | 'engine' | 'health'> | null> {
  if (options.databaseUrl === null) {
    const file = databaseFile(options);
    return existsSync(file) ? { ...connectSqlite(options), engine: 'sqlite' } : null;
  }
  const { database, health } = await connectPostgres(options.databaseUrl, options);
  try {
    await followTime(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return { database, health, engine: 'postgres' };
}

function olderError(cause: InUseError): Error {
  return new Error(
    'The tables are older than this program, and the Parley process that uses them does not change them: stop it, then try again',
    { cause },
  );
}
