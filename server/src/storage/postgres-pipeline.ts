import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, Kysely, type QueryResult } from 'kysely';
import { StorageError } from '../lib/storage-error.ts';
import type { Tables } from './database.ts';
import { begun } from './dialects.ts';
import { OwnedConnectionDriver } from './owned-connection-driver.ts';

/**
 * Off in these transactions, whose statements are over lists of rows: the server takes a list for a hundred rows, and would
 * rather read the whole of a table of some ten thousand than look for these.
 */
export const unusedPlans = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'] as const;

/**
 * PostgreSQL for one transaction at a time, whose owner begins and ends it. Statements are sent at once, in the order of
 * the calls, without waiting for those before; when one fails, so do all behind it, and `commit` rolls back.
 */
export class PostgresPipeline extends Kysely<Tables> {
  readonly #driver: HeldConnectionDriver;

  /** @param dialect of connections in pipeline mode */
  constructor(dialect: Dialect) {
    const driver = new HeldConnectionDriver(dialect.createDriver());
    super({
      dialect: {
        createDriver: () => driver,
        createQueryCompiler: () => dialect.createQueryCompiler(),
        createAdapter: () => dialect.createAdapter(),
        createIntrospector: (database) => dialect.createIntrospector(database),
      },
    });
    this.#driver = driver;
  }

  /** @throws StorageError when there is no connection; Error while a transaction is in progress */
  async begin(): Promise<void> {
    await this.#driver.begin();
  }

  /** @throws StorageError with the text of PostgreSQL; Error without a transaction */
  async send<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    return await this.#driver.connection.executeQuery<Row>(query);
  }

  /** @throws StorageError when the transaction is not committed, or may not be */
  async commit(): Promise<void> {
    await this.#driver.commit();
  }

  /** Gives the connection back; a transaction that was not committed is rolled back. */
  async end(): Promise<void> {
    await this.#driver.end();
  }

  override async destroy(): Promise<void> {
    await this.#driver.destroy();
  }
}

/** Gives everyone the connection of the present transaction. */
class HeldConnectionDriver extends OwnedConnectionDriver {
  readonly #driver: Driver;
  #initialized: Promise<void> | null = null;
  #connection: DatabaseConnection | null = null;
  #isCommitted = false;
  #isDestroyed = false;

  constructor(driver: Driver) {
    super();
    this.#driver = driver;
  }

  get connection(): DatabaseConnection {
    if (this.#connection === null) throw new Error('There is no transaction');
    return this.#connection;
  }

  async begin(): Promise<void> {
    if (this.#isDestroyed) throw new StorageError('closed', 'The database is closed');
    if (this.#connection !== null) throw new Error('A transaction is in progress');
    await this.init();
    this.#connection = await this.#driver.acquireConnection();
    this.#isCommitted = false;
    // It fails with the connection only, and so do the statements behind it.
    this.#connection.executeQuery(CompiledQuery.raw(begun('begin', unusedPlans))).catch(() => undefined);
  }

  async commit(): Promise<void> {
    await this.#driver.commitTransaction(this.connection);
    this.#isCommitted = true;
  }

  async end(): Promise<void> {
    const { connection } = this;
    try {
      // A connection that cannot is not used again.
      if (!this.#isCommitted) await this.#driver.rollbackTransaction(connection).catch(() => undefined);
    } finally {
      this.#connection = null;
      await this.#driver.releaseConnection(connection);
    }
  }

  override init(): Promise<void> {
    this.#initialized ??= this.#driver.init();
    return this.#initialized;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection;
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await this.#driver.destroy();
  }
}
