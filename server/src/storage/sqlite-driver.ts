import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { SqliteWriter, WriteTurn } from './sqlite-writer.ts';

/** What the driver is made of. */
export interface SqliteConnections {
  writer: SqliteWriter;
  /** Reads what is committed, at once. */
  readCommitted(sql: string, parameters: readonly unknown[]): unknown[];
  close(): void;
}

/**
 * A SQLite file as Kysely sees it: any number of connections, which hold nothing but, in a transaction, the right to
 * write. Outside of one, reads see what is committed and wait for nobody.
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

/** What a statement that was written by hand does, as far as its first word tells. */
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
