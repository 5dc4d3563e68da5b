import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Where a SQLite file is, and what may be done about it. */
interface Place {
  dataDir: string;
  file: string;
}

/** Whether a SQLite file is missing or holds nothing at all. */
export function isMissing(file: string): boolean {
  return !existsSync(file) || (statSync(file).size === 0 && !existsSync(`${file}-wal`));
}

/** Whether a database has no table. */
export async function isEmpty(database: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_schema limit 1`.execute(database);
  return rows.length === 0;
}

/**
 * Refuses to make a new database where an old one seems to be lost: beside a key and what a service stores in files. A first
 * start makes the key after the tables, so one that was killed does not look like that; nor does a first start with a key
 * that the operator put there.
 * @throws Error with a message for the operator
 */
export function refuseLostDatabase({ dataDir, file }: Place): void {
  if (!existsSync(join(dataDir, 'secret.key')) || !hasStoredFiles(dataDir)) return;
  throw new Error(
    `The database file ${file} is missing or empty, but ${dataDir} holds a key and stored files of an earlier run. ` +
      'Restore the file from a backup, or check PARLEY_DATA_DIR and PARLEY_DATABASE_URL. To begin with a new database ' +
      'all the same, start with --new-database or PARLEY_NEW_DATABASE=true.',
  );
}

/** What lies beside the database: uploads, and the store of chunks. */
function hasStoredFiles(dataDir: string): boolean {
  const files = join(dataDir, 'files');
  if (existsSync(files) && readdirSync(files).some((name) => !name.endsWith('.part'))) return true;
  const chunks = join(dataDir, 'knowledge.db');
  return existsSync(chunks) && statSync(chunks).size > 0;
}
