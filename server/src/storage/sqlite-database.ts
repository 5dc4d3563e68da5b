import { chmodSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, type SqliteStatement } from 'kysely';
import type { Tables } from './database.ts';
import { StorableSqliteDialect } from './dialects.ts';

/** Prepared statements kept for reuse; the product has fewer than this. */
const maximumStatements = 500;

/** Opens a SQLite file. Each commit is flushed to the disk before it counts. */
export function openSqlite(path: string): SqliteKysely {
  const database = new DatabaseSync(path, { timeout: 5000 });
  chmodSync(path, 0o600);
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma cache_size = -8000;
    pragma journal_size_limit = 67108864;
  `);
  return new SqliteKysely(new NodeSqlite(database), new DatabaseSync(path, { readOnly: true, timeout: 5000 }));
}

/** A SQLite file with a second connection, for short reads that need not queue up behind transactions. */
export class SqliteKysely extends Kysely<Tables> {
  readonly #view: CommittedView;

  constructor(writer: NodeSqlite, reader: DatabaseSync) {
    super({ dialect: new StorableSqliteDialect({ database: writer }) });
    const view = new CommittedView(reader);
    writer.beforeStatement = () => view.end();
    this.#view = view;
  }

  /** Reads what is committed, at once: never the half of a transaction, and without waiting for one. */
  readCommitted(sql: string, parameters: readonly unknown[]): unknown[] {
    return this.#view.read(sql, parameters);
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    this.#view.close();
  }
}

/**
 * Reads that come together share one view of the database, since taking a view costs as much as reading a row. It ends
 * with the turn of the event loop, or before the next statement of the writer, so that no read misses a commit.
 */
class CommittedView {
  readonly #database: NodeSqlite;
  readonly #end = () => this.end();
  #isOpen = false;

  constructor(database: DatabaseSync) {
    this.#database = new NodeSqlite(database);
  }

  read(sql: string, parameters: readonly unknown[]): unknown[] {
    if (!this.#isOpen) {
      this.#database.prepare('begin').run([]);
      this.#isOpen = true;
      setImmediate(this.#end);
    }
    return this.#database.prepare(sql).all(parameters);
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#database.prepare('commit').run([]);
  }

  close(): void {
    this.end();
    this.#database.close();
  }
}

/** What Kysely's SQLite dialect asks of a driver, over `node:sqlite`. */
class NodeSqlite implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, SqliteStatement>();
  /** Called before each statement runs. */
  beforeStatement = () => {};

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = new NodeStatement(this.#database.prepare(sql), () => this.beforeStatement());
    if (this.#statements.size >= maximumStatements) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

class NodeStatement implements SqliteStatement {
  readonly #statement: StatementSync;
  readonly #columns: readonly string[];
  readonly #before: () => void;
  readonly reader: boolean;

  constructor(statement: StatementSync, before: () => void) {
    this.#statement = statement;
    this.#before = before;
    this.#columns = statement.columns().map((column) => column.name);
    this.reader = this.#columns.length > 0;
    // The row objects of `node:sqlite` have no fixed shape, which makes reading them and their fields slow.
    statement.setReturnArrays(true);
  }

  all(parameters: readonly unknown[]): unknown[] {
    this.#before();
    return (this.#statement.all(...(parameters as SQLInputValue[])) as unknown[]).map((values) => this.#row(values));
  }

  run(parameters: readonly unknown[]) {
    this.#before();
    return this.#statement.run(...(parameters as SQLInputValue[]));
  }

  *iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    this.#before();
    for (const values of this.#statement.iterate(...(parameters as SQLInputValue[]))) {
      yield this.#row(values);
    }
  }

  #row(values: unknown): Record<string, unknown> {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < this.#columns.length; index++) {
      row[this.#columns[index] as string] = (values as unknown[])[index];
    }
    return row;
  }
}
