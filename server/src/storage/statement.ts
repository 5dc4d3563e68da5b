import type { CompiledQuery } from 'kysely';
import { storableText } from '../lib/storable-text.ts';
import type { Database } from './database.ts';

/** Placeholder for a value in a query. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Buildable<Row> {
  compile(database: Database): CompiledQuery<Row>;
}

/**
 * A query that is built and compiled once and run with different values, for operations of every message: building a
 * query takes longer than running it on SQLite.
 */
export class Statement<Row, Values extends object = object> {
  readonly #query: CompiledQuery<Row>;
  readonly #constants: boolean;

  /** @param build creates the query with placeholders instead of values, which it must not inspect */
  constructor(database: Database, build: (values: Values) => Buildable<Row>) {
    const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
    this.#query = build(placeholders as Values).compile(database);
    this.#constants = !this.#query.parameters.some((parameter) => parameter instanceof Placeholder);
  }

  async all(database: Database, values: Values): Promise<Row[]> {
    return (await this.#execute(database, values)).rows;
  }

  async first(database: Database, values: Values): Promise<Row | undefined> {
    return (await this.#execute(database, values)).rows[0];
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

  #execute(database: Database, values: Values) {
    return database.executeQuery<Row>(
      this.#constants ? this.#query : { ...this.#query, parameters: this.#filled(values) },
    );
  }

  #filled(values: Values): unknown[] {
    return this.#query.parameters.map((parameter) => {
      if (!(parameter instanceof Placeholder)) return parameter;
      const value = (values as Record<string, unknown>)[parameter.name];
      // A value that is missing would reach SQLite as null.
      if (value === undefined) throw new Error(`The value ${parameter.name} of a statement is missing`);
      return typeof value === 'string' ? storableText(value) : value;
    });
  }
}
