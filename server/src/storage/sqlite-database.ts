import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Tables } from './database.ts';
import { StorableSqliteDialect } from './dialects.ts';
import { NodeSqlite } from './node-sqlite.ts';
import { SqliteWriter, type SqliteWriterOptions } from './sqlite-writer.ts';
import { addUnicodeLower } from './unicode-lower.ts';

/** How long opening waits for another process that recovers or checkpoints the file, milliseconds. It blocks. */
const openTimeout = 5000;
/** The same for reads, which another process blocks only briefly: the wait blocks the event loop. */
const readTimeout = 100;

export interface SqliteOptions extends SqliteWriterOptions {
  /** Receives each database error before it is thrown. */
  failed?: (error: unknown) => void;
}

/** Opens a SQLite file. Each commit is flushed to the disk before it counts. */
export function openSqlite(path: string, options: SqliteOptions = {}): SqliteKysely {
  const database = connectWriter(path);
  // A wait inside SQLite would stop the event loop.
  database.exec('pragma busy_timeout = 0');
  return new SqliteKysely(path, database, options);
}

/** A connection whose commits are flushed to the disk before they count. It waits for others that write. */
export function connectWriter(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: openTimeout });
  chmodSync(path, 0o600);
  addUnicodeLower(database);
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma cache_size = -8000;
    pragma journal_size_limit = 67108864;
  `);
  return database;
}

/** A SQLite file with two connections: one that writes, and one for short reads that need not wait for it. */
export class SqliteKysely extends Kysely<Tables> {
  /** Reads committed data at once: never a partial transaction, and without waiting for one. */
  readonly readCommitted: (sql: string, parameters: readonly unknown[]) => unknown[];
  /** The same for a statement that is repeated: its rows are shared as long as no commit is visible after it was run. */
  readonly readOnce: (sql: string) => readonly unknown[];
  /** See {@link SqliteWriter.lend}. */
  readonly lend: SqliteWriter['lend'];
  readonly file: string;
  readonly #close: () => void;

  constructor(file: string, writing: DatabaseSync, { failed, ...options }: SqliteOptions) {
    const reading = new DatabaseSync(file, { readOnly: true, timeout: readTimeout });
    addUnicodeLower(reading);
    const view = new CommittedView(new NodeSqlite(reading, failed));
    const writer = new SqliteWriter(new NodeSqlite(writing, failed), () => view.end(), options);
    const close = () => {
      // The last connection to close moves the WAL into the file and removes it, which one that only reads cannot.
      view.close();
      writer.close();
    };
    const readCommitted = (sql: string, parameters: readonly unknown[]) => {
      writer.beforeRead();
      return view.read(sql, parameters);
    };
    super({ dialect: new StorableSqliteDialect({ writer, readCommitted, close }) });
    this.file = file;
    this.readCommitted = readCommitted;
    this.readOnce = (sql) => {
      writer.beforeRead();
      return view.readOnce(sql);
    };
    this.lend = (write) => writer.lend(write);
    this.#close = close;
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    // Kysely closes only what it has used.
    this.#close();
  }
}

/**
 * Reads that come together share one view of the database, since taking a view costs as much as reading a row. It ends
 * with the turn of the event loop, or before the next commit, so that no read misses one.
 */
class CommittedView {
  readonly #database: NodeSqlite;
  readonly #end = () => this.end();
  /** Rows of this view, by the text of their statement. */
  readonly #rows = new Map<string, readonly unknown[]>();
  #isOpen = false;
  #isClosed = false;

  constructor(database: NodeSqlite) {
    this.#database = database;
  }

  readOnce(sql: string): readonly unknown[] {
    const known = this.#rows.get(sql);
    if (known !== undefined) return known;
    const rows = this.read(sql, []);
    this.#rows.set(sql, rows);
    return rows;
  }

  read(sql: string, parameters: readonly unknown[]): unknown[] {
    if (!this.#isOpen) {
      this.#database.run('begin');
      this.#isOpen = true;
      setImmediate(this.#end);
    }
    return this.#database.run(sql, parameters).rows;
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rows.clear();
    for (const end of ['commit', 'rollback']) {
      try {
        // A damaged file or disk ends the read transaction by itself. Its results have been returned.
        if (this.#database.isInTransaction) this.#database.run(end);
      } catch {
        // Without this, a fault of the disk would end the process.
      }
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.end();
    this.#database.close();
  }
}
