import { type CompiledQuery, type DatabaseConnection, Kysely, type QueryResult } from 'kysely';
import type { Tables } from './database.ts';
import { SqliteDialect } from './dialects.ts';
import type { NodeSqlite } from './node-sqlite.ts';
import { OwnedConnectionDriver } from './owned-connection-driver.ts';

/**
 * One connection to a SQLite file, whose statements run at once, in the order of the calls. Its owner begins and ends
 * transactions, one at a time.
 */
export class DirectSqlite extends Kysely<Tables> {
  readonly #database: NodeSqlite;

  constructor(database: NodeSqlite) {
    super({ dialect: new SqliteDialect(() => new DirectDriver(database)) });
    this.#database = database;
  }

  get isInTransaction(): boolean {
    return this.#database.isInTransaction;
  }

  /** @throws StorageError with the text of SQLite */
  run(sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> {
    return this.#database.run(sql, parameters);
  }
}

class DirectDriver extends OwnedConnectionDriver {
  readonly #database: NodeSqlite;
  readonly #connection: DatabaseConnection;

  constructor(database: NodeSqlite) {
    super();
    this.#database = database;
    const executeQuery = async <Row>({ sql, parameters }: CompiledQuery) =>
      database.run(sql, parameters) as QueryResult<Row>;
    this.#connection = {
      executeQuery,
      async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
        yield await executeQuery<Row>(query);
      },
    };
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async destroy(): Promise<void> {
    this.#database.close();
  }
}
