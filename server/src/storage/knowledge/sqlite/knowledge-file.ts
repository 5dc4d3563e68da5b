import { chmodSync, existsSync, renameSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { getLoadablePath } from 'sqlite-vec';

/** Schema version of the file. */
const version = 1;
/** Size of the cache of prepared statements; each collection has separate ones. */
const maximumStatements = 400;

/** SQLite codes for a damaged file or one of another format: `SQLITE_CORRUPT` and `SQLITE_NOTADB`. */
const damaged = new Set([11, 26]);

/** The SQLite file with the chunks and vectors of all collections, opened by one thread. */
export class KnowledgeFile {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** A prepared statement whose rows are arrays, which are read faster than objects. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      if (this.#statements.size >= maximumStatements) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  all<Row extends readonly unknown[]>(sql: string, ...parameters: Parameter[]): Row[] {
    return this.statement(sql).all(...parameters) as unknown as Row[];
  }

  get<Row extends readonly unknown[]>(sql: string, ...parameters: Parameter[]): Row | undefined {
    return this.statement(sql).get(...parameters) as unknown as Row | undefined;
  }

  /** Reads row by row; to be read to its end or left by `break`. */
  iterate<Row extends readonly unknown[]>(sql: string, ...parameters: Parameter[]): Iterable<Row> {
    return this.statement(sql).iterate(...parameters) as unknown as Iterable<Row>;
  }

  /** @returns the row id of the last insert */
  run(sql: string, ...parameters: Parameter[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.statement(sql).run(...parameters);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** Several statements without parameters. */
  execute(sql: string): void {
    this.#database.exec(sql);
  }

  /** All of it or nothing. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('begin immediate');
    try {
      const result = work();
      this.#database.exec('commit');
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some failures.
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

type Parameter = string | number | null | Uint8Array;

/**
 * Opens the file and creates missing tables.
 *
 * A damaged file is moved aside, since all of it can be rebuilt from the originals.
 * @param warn called with the new path of a damaged file
 * @throws Error when a newer version created the file, or when it cannot be opened
 */
export function openKnowledgeFile(path: string, warn: (movedTo: string, error: string) => void): KnowledgeFile {
  try {
    return opened(path);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    warn(moveAside(path), (error as Error).message);
    return opened(path);
  }
}

/** Whether an error of SQLite says that the file is damaged. */
export function isDamaged(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
  // The upper bits are an extended code.
  return typeof code === 'number' && damaged.has(code & 0xff);
}

/** @returns the new path of the file; its journal files are moved, too */
export function moveAside(path: string): string {
  const target = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const ending of ['', '-wal', '-shm']) {
    if (existsSync(path + ending)) renameSync(path + ending, target + ending);
  }
  return target;
}

function opened(path: string): KnowledgeFile {
  // Large collections are removed by deleting rows of the full text's own tables, which the defensive mode forbids.
  const database = new DatabaseSync(path, { timeout: 5000, allowExtension: true, defensive: false });
  try {
    chmodSync(path, 0o600);
    loadVectorFunctions(database);
    // Permanent settings of a new file: a vector of 1536 numbers fits into a page, and freed space is returned to the
    // disk in small steps. Writes lost in a crash of the machine can be repeated.
    database.exec(`
      pragma page_size = 8192;
      pragma auto_vacuum = incremental;
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma cache_size = -16000;
      pragma journal_size_limit = 33554432;
    `);
    const found = database.prepare('pragma user_version').get()?.user_version;
    if (typeof found !== 'number' || found > version) {
      throw new Error(`${path} was created by a newer version of this program`);
    }
    if (found < version) database.exec(`begin immediate; ${tables}; pragma user_version = ${version}; commit`);
    // Reads the first page, so that damage there is detected now.
    database.prepare('select count(*) from collections').get();
    return new KnowledgeFile(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

const tables = `
  create table collections (
    number integer primary key autoincrement,
    collection_id text not null,
    language text not null,
    dimensions integer,
    centre blob,
    is_dropped integer not null default 0
  );
  create unique index collections_by_id on collections (collection_id) where is_dropped = 0;
  create table kept_vectors (
    id integer primary key,
    model text not null,
    hash text not null,
    vector blob not null,
    bytes integer not null,
    used_at integer not null
  );
  create unique index kept_vectors_by_hash on kept_vectors (model, hash);
  create index kept_vectors_by_use on kept_vectors (used_at, bytes)
`;

/** `vec_distance_l2` of the extension, which is quicker; written here where there is none for the machine. */
function loadVectorFunctions(database: DatabaseSync): void {
  try {
    database.loadExtension(getLoadablePath());
  } catch {
    database.function('vec_distance_l2', { deterministic: true }, (left, right) =>
      distance(floats(left as Uint8Array), floats(right as Uint8Array)),
    );
  } finally {
    database.enableLoadExtension(false);
  }
}

/** The numbers of a vector as it is stored. */
export function floats(bytes: Uint8Array): Float32Array {
  // A typed array needs an offset that is a multiple of four.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/** A vector as it is stored. */
export function bytesOf(vector: Float32Array | Int32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function distance(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += ((left[index] ?? 0) - (right[index] ?? 0)) ** 2;
  return Math.sqrt(sum);
}
