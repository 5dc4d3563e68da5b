import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { type DatabaseLock, lockDatabase } from './database-lock.ts';
import { lockDirectory } from './directory-lock.ts';
import type { Engine } from './engine.ts';
import { migrate } from './migrations/migrate.ts';
import { openPostgres } from './postgres-database.ts';
import { openSqlite } from './sqlite-database.ts';

/** An open database whose tables are up to date. */
export interface Storage {
  engine: Engine;
  database: Database;
  /** Names of the migrations that opening it applied. */
  migrated: readonly string[];
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
}

/** How long to wait for another process that holds a lock, milliseconds. */
export interface LockPatience {
  /** On the data directory. The wait stands still. */
  directory: number;
  /** On the PostgreSQL database, whose server takes a moment to notice that a process died. */
  database: number;
}

/** Long enough for a command of the command line that brings the tables up to date. */
const usualPatience: LockPatience = { directory: 3000, database: 5000 };

/**
 * Opens the storage for one process alone and brings its tables up to date.
 * @throws InUseError when another process has it open in this way
 * @throws Error with a message for the operator: changed migration, newer database, no connection
 */
export async function openStorage(options: StorageOptions, patience: LockPatience = usualPatience): Promise<Storage> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  chmodSync(options.dataDir, 0o700);
  const engine: Engine = options.databaseUrl === null ? 'sqlite' : 'postgres';
  const directoryLock = lockDirectory(options.dataDir, patience.directory);
  let databaseLock: DatabaseLock | null = null;
  let database: Database | null = null;
  const close = async () => {
    await database?.destroy();
    await databaseLock?.release();
    directoryLock.release();
  };
  try {
    if (options.databaseUrl === null) {
      database = openSqlite(databaseFile(options));
    } else {
      databaseLock = await lockDatabase(options.databaseUrl, patience.database);
      database = await openPostgres(options.databaseUrl);
    }
    return opened({ engine, database, migrated: await migrate(database, engine) }, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** The file that holds everything when there is no PostgreSQL. */
export function databaseFile({ dataDir }: Pick<StorageOptions, 'dataDir'>): string {
  return join(dataDir, 'parley.db');
}

/** A storage of a database that is open and whose tables are up to date. */
export function opened(
  storage: Pick<Storage, 'engine' | 'database' | 'migrated'>,
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
      await close();
    },
  };
}
