import type { Compilable } from 'kysely';
import type { Database } from './database.ts';
import { SqliteKysely } from './sqlite-database.ts';

/**
 * A query that is built and compiled once, for reads of nearly every request: on SQLite, building one takes longer than
 * the read itself.
 * @param query with any values for its parameters
 * @returns runs the query with parameters in the order in which the query names them; they reach the engine unchanged,
 *   so they must be internal keys and not user input
 */
export function prepareQuery<Row, Parameters extends readonly unknown[]>(
  database: Database,
  query: Compilable<Row>,
): (...parameters: Parameters) => Promise<Row | undefined> {
  const compiled = query.compile();
  if (database instanceof SqliteKysely) {
    return async (...parameters) => database.readCommitted(compiled.sql, parameters)[0] as Row | undefined;
  }
  return async (...parameters) => {
    const { rows } = await database.executeQuery<Row>({ ...compiled, parameters });
    return rows[0];
  };
}
