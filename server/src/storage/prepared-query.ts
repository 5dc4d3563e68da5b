import { type CompiledQuery, type Expression, type QueryResult, sql } from 'kysely';
import { storableText } from '../lib/storable-text.ts';
import type { Database } from './database.ts';
import { DirectSqlite } from './direct-sqlite.ts';
import { SqliteKysely } from './sqlite-database.ts';
import { nameStatement } from './statement-names.ts';

/** An expression for a value that each run of a query provides. */
export type ValueOf<Values> = <Name extends keyof Values & string>(name: Name) => Expression<Values[Name]>;

/** A symbol stands for a value in the parameters of a compiled query. */
const placeholderFor = (name: string) => sql<never>`${Symbol(name)}`;

/**
 * A query that is built and compiled once and run with different values, for operations of every message or request: on
 * SQLite, building a query takes longer than running it.
 */
export class PreparedQuery<Row, Values extends object = object> {
  readonly #query: CompiledQuery<Row>;

  /** @param build creates the query; `value('name')` stands for a value */
  constructor(
    database: Database,
    build: (value: ValueOf<Values>) => { compile(database: Database): CompiledQuery<Row> },
  ) {
    this.#query = build(placeholderFor).compile(database);
    nameStatement(this.#query.sql);
  }

  async all(database: Database, values: Values): Promise<Row[]> {
    return this.#committed(database, values) ?? (await this.#execute(database, values)).rows;
  }

  async first(database: Database, values: Values): Promise<Row | undefined> {
    return (this.#committed(database, values) ?? (await this.#execute(database, values)).rows)[0];
  }

  /** @throws Error when there is no row */
  async one(database: Database, values: Values): Promise<Row> {
    const row = await this.first(database, values);
    if (row === undefined) throw new Error('A row is missing');
    return row;
  }

  /** @returns how many rows were changed */
  async run(database: Database, values: Values): Promise<number> {
    return Number((await this.#execute(database, values)).numAffectedRows ?? 0);
  }

  /** Reads on SQLite, outside of transactions, as its driver does many promises later; else null. */
  #committed(database: Database, values: Values): Row[] | null {
    if (this.#query.query.kind !== 'SelectQueryNode' || !(database instanceof SqliteKysely)) return null;
    return database.readCommitted(this.#query.sql, this.#parameters(values)) as Row[];
  }

  #execute(database: Database, values: Values): QueryResult<Row> | Promise<QueryResult<Row>> {
    const parameters = this.#parameters(values);
    if (database instanceof DirectSqlite) return database.run(this.#query.sql, parameters) as QueryResult<Row>;
    return database.executeQuery<Row>({ ...this.#query, parameters });
  }

  #parameters(values: Values): unknown[] {
    return this.#query.parameters.map((parameter) => {
      if (typeof parameter !== 'symbol') return parameter;
      const value = (values as Record<string, unknown>)[parameter.description ?? ''];
      // A value that is missing would reach SQLite as null.
      if (value === undefined) throw new Error(`The value ${parameter.description} of a query is missing`);
      return typeof value === 'string' ? storableText(value) : value;
    });
  }
}
