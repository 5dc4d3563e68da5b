import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { SqliteWriter, WriteTurn } from './sqlite-writer.ts';

/** What the driver is made of. */
export interface SqliteConnections {
  writer: SqliteWriter;
  /** Reads committed data at once. */
  readCommitted(sql: string, parameters: readonly unknown[]): unknown[];
  close(): void;
}

/**
 * A SQLite file for Kysely: any number of virtual connections, which hold nothing but, in a transaction, the write
 * turn. Outside of one, reads see committed data and never wait.
 */
export class GroupingSqliteDriver implements Driver {
  readonly #connections: SqliteConnections;

  constructor(connections: SqliteConnections) {
    this.#connections = connections;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this.#connections);
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SqliteConnection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SqliteConnection).end('commit');
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SqliteConnection).end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#connections.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #connections: SqliteConnections;
  #turn: WriteTurn | null = null;

  constructor(connections: SqliteConnections) {
    this.#connections = connections;
  }

  async begin(): Promise<void> {
    this.#turn = await this.#connections.writer.begin();
  }

  end(how: 'commit' | 'rollback'): Promise<void> {
    const turn = this.#turn;
    this.#turn = null;
    return turn?.[how]() ?? Promise.resolve();
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    return (await this.#run(query.kind, sql, parameters)) as QueryResult<Row>;
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  #run(
    kind: string,
    sql: string,
    parameters: readonly unknown[],
  ): QueryResult<unknown> | Promise<QueryResult<unknown>> {
    if (this.#turn !== null) return this.#turn.run(sql, parameters);
    switch (kind === 'RawNode' ? kindOf(sql) : kind) {
      case 'SelectQueryNode':
        return { rows: this.#connections.readCommitted(sql, parameters) };
      case 'InsertQueryNode':
      case 'UpdateQueryNode':
      case 'DeleteQueryNode':
        return this.#connections.writer.write(sql, parameters);
      default:
        return this.#connections.writer.runAlone(sql, parameters);
    }
  }
}

/** The kind of a raw SQL statement, by its first keyword. */
function kindOf(sql: string): string {
  switch (/^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase()) {
    case 'select':
      return 'SelectQueryNode';
    case 'insert':
      return 'InsertQueryNode';
    case 'update':
      return 'UpdateQueryNode';
    case 'delete':
      return 'DeleteQueryNode';
    default:
      return 'RawNode';
  }
}
