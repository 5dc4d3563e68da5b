import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { markName } from '../core/files/store-mark.ts';
import type { Database } from './database.ts';

/** Location of a SQLite file. */
interface Place {
  dataDir: string;
  file: string;
}

/** Whether a SQLite file is missing or empty. */
export function isMissing(file: string): boolean {
  return !existsSync(file) || (statSync(file).size === 0 && !existsSync(`${file}-wal`));
}

/** Whether a database has no table. */
export async function isEmpty(database: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_schema limit 1`.execute(database);
  return rows.length === 0;
}

/**
 * Refuses to create a database where an old one seems to be lost: next to a key and stored files. A first start creates
 * the key after the tables, so an interrupted one does not look like that; nor does a first start with a key that the
 * operator put there.
 * @throws Error with a message for the operator
 */
export function refuseLostDatabase({ dataDir, file }: Place): void {
  if (!existsSync(join(dataDir, 'secret.key')) || !hasStoredFiles(dataDir)) return;
  throw new Error(
    `The database file ${file} is missing or empty, but ${dataDir} holds a key and stored files of an earlier run. ` +
      'Restore it from a backup, or check PARLEY_DATA_DIR and PARLEY_DATABASE_URL. To start with a new database ' +
      'all the same, start with --new-database or PARLEY_NEW_DATABASE=true.',
  );
}

/** Uploads, or the chunk store. */
function hasStoredFiles(dataDir: string): boolean {
  const files = join(dataDir, 'files');
  if (existsSync(files) && readdirSync(files).some((name) => !name.endsWith('.part') && name !== markName)) return true;
  const chunks = join(dataDir, 'knowledge.db');
  return existsSync(chunks) && statSync(chunks).size > 0;
}
