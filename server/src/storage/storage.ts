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
  /** Answers whether the database can be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageOptions {
  dataDir: string;
  /** `postgres://…`; null for SQLite in the data directory. */
  databaseUrl: string | null;
}

/**
 * Opens the storage and brings its tables up to date.
 * @throws Error with a message for the operator: in use by another process, changed migration, newer database
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  chmodSync(options.dataDir, 0o700);
  const engine: Engine = options.databaseUrl === null ? 'sqlite' : 'postgres';
  const directoryLock = lockDirectory(options.dataDir);
  let databaseLock: DatabaseLock | null = null;
  let database: Database | null = null;
  const close = async () => {
    await database?.destroy();
    await databaseLock?.release();
    directoryLock.release();
  };
  try {
    if (options.databaseUrl === null) {
      database = openSqlite(join(options.dataDir, 'parley.db'));
    } else {
      databaseLock = await lockDatabase(options.databaseUrl);
      database = await openPostgres(options.databaseUrl);
    }
    await migrate(database, engine);
  } catch (error) {
    await close();
    throw error;
  }
  const open = database;
  return {
    engine,
    database: open,
    ping: async () => {
      await sql`select 1`.execute(open);
    },
    close,
  };
}
