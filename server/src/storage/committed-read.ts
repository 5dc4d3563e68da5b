import type { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { SqliteKysely } from './sqlite-database.ts';

/**
 * Runs a short read that does not wait for transactions that write. On SQLite it holds the process for as long as it
 * takes, so it must find what it looks for by an index, and not more than it can read in a few milliseconds.
 */
export async function readCommitted<Row>(
  database: Database,
  query: { compile(database: Database): CompiledQuery<Row> },
): Promise<Row[]> {
  const compiled = query.compile(database);
  if (database instanceof SqliteKysely) return database.readCommitted(compiled.sql, compiled.parameters) as Row[];
  return (await database.executeQuery<Row>(compiled)).rows;
}
