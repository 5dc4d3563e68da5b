import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';
import { classifyError } from './classify-error.ts';
import { type StatementWork, storageWork } from './storage-work.ts';

/** Size of the cache of prepared statements; the product has fewer than this. */
const maximumStatements = 500;

/** One connection to a SQLite file, with its prepared statements. */
export class NodeSqlite {
  readonly #database: DatabaseSync;
  readonly #failed: (error: unknown) => void;
  readonly #statements = new Map<string, NodeStatement>();

  /** @param failed receives each error before it is thrown */
  constructor(database: DatabaseSync, failed: (error: unknown) => void = () => {}) {
    this.#database = database;
    this.#failed = failed;
  }

  /** @throws StorageError with the text of SQLite */
  run(sql: string, parameters: readonly unknown[] = []): QueryResult<unknown> {
    if (storageWork.statement.hasSubscribers)
      storageWork.statement.publish({ sql, isRoundTrip: false } satisfies StatementWork);
    try {
      return this.#prepared(sql).run(parameters);
    } catch (error) {
      const classified = classifyError(error);
      this.#failed(classified);
      throw classified;
    }
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): NodeStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = new NodeStatement(this.#database.prepare(sql));
    if (this.#statements.size >= maximumStatements) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}

class NodeStatement {
  readonly #statement: StatementSync;
  readonly #columns: readonly string[];

  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.#columns = statement.columns().map((column) => column.name);
    // The row objects of `node:sqlite` have no fixed shape, which makes reading them and their fields slow.
    statement.setReturnArrays(true);
  }

  run(parameters: readonly unknown[]): QueryResult<unknown> {
    const values = parameters as SQLInputValue[];
    if (this.#columns.length === 0) {
      const { changes, lastInsertRowid } = this.#statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }
    return { rows: (this.#statement.all(...values) as unknown as unknown[][]).map((row) => this.#named(row)) };
  }

  #named(values: readonly unknown[]): Record<string, unknown> {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < this.#columns.length; index++) {
      // An index below the length; an iterator would be slower.
      row[this.#columns[index] as string] = values[index];
    }
    return row;
  }
}
