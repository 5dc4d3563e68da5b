import type { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { SqliteKysely } from './sqlite-database.ts';

/**
 * Runs a short read that does not wait for write transactions. On SQLite it blocks the process, so it must use an
 * index and finish within a few milliseconds.
 */
export async function readCommitted<Row>(
  database: Database,
  query: { compile(database: Database): CompiledQuery<Row> },
): Promise<Row[]> {
  const compiled = query.compile(database);
  if (database instanceof SqliteKysely) return database.readCommitted(compiled.sql, compiled.parameters) as Row[];
  return (await database.executeQuery<Row>(compiled)).rows;
}
