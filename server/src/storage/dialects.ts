import {
  type AbortableOperationOptions,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { storableText } from '../lib/storable-text.ts';
import { classifyError } from './classify-error.ts';
import { GroupingSqliteDriver, type SqliteConnections } from './sqlite-driver.ts';
import { statementName } from './statement-names.ts';
import { type CommitWork, type StatementWork, storageWork } from './storage-work.ts';

/*
 * Both engines are given the same texts: what one of them refuses is replaced on its way to either, at the one place
 * that every value passes, so that a stray character in a message or a name is never an unexpected fault.
 */

/** SQLite over any driver. */
export class SqliteDialect implements Dialect {
  readonly createDriver: () => Driver;

  constructor(createDriver: () => Driver) {
    this.createDriver = createDriver;
  }

  createQueryCompiler() {
    return new StorableSqliteCompiler();
  }

  createAdapter() {
    return new ManyConnectionsAdapter();
  }

  createIntrospector(database: Kysely<unknown>) {
    return new SqliteIntrospector(database);
  }
}

/** SQLite over a connection that writes and one that reads. */
export class StorableSqliteDialect extends SqliteDialect {
  constructor(connections: SqliteConnections) {
    super(() => new GroupingSqliteDriver(connections));
  }
}

/** The driver itself serializes writers. */
class ManyConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** What is done around the statements of a PostgreSQL database. */
interface PostgresStatementOptions {
  /** Receives each database error before it is thrown. */
  failed?: (error: unknown) => void;
  /** Whether statements that have a name are prepared by it, once for each connection. Default false. */
  prepares?: boolean;
}

export class StorablePostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #options: PostgresStatementOptions;

  constructor(config: PostgresDialectConfig, options: PostgresStatementOptions = {}) {
    super(config);
    this.#config = config;
    this.#options = options;
  }

  override createDriver() {
    return new ClassifyingPostgresDriver(this.#config, this.#options);
  }

  override createQueryCompiler() {
    return new StorablePostgresCompiler();
  }
}

/** Rethrows errors of a connection as `StorageError`. */
class ClassifyingPostgresDriver extends PostgresDriver {
  readonly #failed: (error: unknown) => void;
  readonly #prepares: boolean;
  readonly #known = new WeakSet<DatabaseConnection>();

  constructor(config: PostgresDialectConfig, { failed = () => {}, prepares = false }: PostgresStatementOptions) {
    super(config);
    this.#failed = failed;
    this.#prepares = prepares;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(
      {
        executeQuery: ({ sql }) => connection.executeQuery(CompiledQuery.raw(begun(sql))),
        streamQuery: connection.streamQuery.bind(connection),
      },
      settings,
    );
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    const connection = await this.#classified(() => super.acquireConnection(options));
    // The driver uses the same object for each use of a connection of the pool.
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      const executeQuery = connection.executeQuery.bind(connection);
      let executing = 0;
      connection.executeQuery = async (query, executeOptions) => {
        if (storageWork.statement.hasSubscribers) publish(query.sql, executing === 0);
        const prepared = this.#prepares ? withName(query) : query;
        executing += 1;
        try {
          return await this.#classified(() => executeQuery(prepared, executeOptions));
        } finally {
          executing -= 1;
        }
      };
    }
    return connection;
  }

  async #classified<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const classified = classifyError(error);
      this.#failed(classified);
      throw classified;
    }
  }
}

/**
 * Begins a transaction that the server ends, with the connection, when nothing follows for 5 s: a process that is stopped in
 * it would keep its locks. It is set for the transaction, as a pooler gives the connection to others afterwards, and in the
 * same round trip.
 * @param sql that only begins a transaction
 * @param off settings of the planner that are off in it
 */
export function begun(sql: string, off: readonly string[] = []): string {
  return [
    sql,
    'set local idle_in_transaction_session_timeout = 5000',
    ...off.map((name) => `set local ${name} = off`),
  ].join('; ');
}

/** The driver gives the text to `pg` as it is, which takes an object with a name in its place. */
function withName(query: CompiledQuery): CompiledQuery {
  const name = statementName(query.sql);
  // The type of the driver does not say so.
  return name === undefined ? query : { ...query, sql: { name, text: query.sql } as unknown as string };
}

function publish(sql: string, isRoundTrip: boolean): void {
  storageWork.statement.publish({ sql, isRoundTrip } satisfies StatementWork);
  // Every transaction is a commit of its own.
  if (sql === 'commit') storageWork.commit.publish({ members: 1 } satisfies CommitWork);
}

class StorableSqliteCompiler extends SqliteQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(storable(parameter));
  }
}

class StorablePostgresCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(storable(parameter));
  }
}

function storable(parameter: unknown): unknown {
  return typeof parameter === 'string' ? storableText(parameter) : parameter;
}
