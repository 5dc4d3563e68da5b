import { CompiledQuery } from 'kysely';
import { storableText } from '../../../lib/storable-text.ts';
import type { Database } from '../../database.ts';
import { PostgresPipeline } from '../../postgres-pipeline.ts';
import { nameStatement } from '../../statement-names.ts';

/** A list of rows, or a single value. */
export type Parameter = readonly unknown[] | string | number;

/** A statement over any number of rows, which are its parameters as JSON: its text does not depend on how many there are. */
export class BatchStatement<Row = unknown> {
  readonly #query: CompiledQuery<Row>;

  constructor(sql: string) {
    this.#query = CompiledQuery.raw(sql) as CompiledQuery<Row>;
    nameStatement(sql);
  }

  get sql(): string {
    return this.#query.sql;
  }

  /** Sends it at once in a pipeline. @param parameters of which lists are given as JSON */
  async run(database: Database, ...parameters: readonly Parameter[]): Promise<Row[]> {
    const values = parameters.map((value) => {
      if (typeof value === 'number') return value;
      return typeof value === 'string' ? storableText(value) : storableJson(value);
    });
    const query = { ...this.#query, parameters: values };
    const sent = database instanceof PostgresPipeline ? database.send<Row>(query) : database.executeQuery<Row>(query);
    return (await sent).rows;
  }
}

/** How JSON shows what PostgreSQL does not store in a text. Something else may look like it. */
const unstorable = /\\u(0000|d[89a-f])/;

function storableJson(rows: readonly unknown[]): string {
  const json = JSON.stringify(rows);
  if (!unstorable.test(json)) return json;
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? storableText(value) : value));
}

/** A statement that inserts rows, given as JSON, in their order. */
export function insertStatement<Row = unknown>(table: string, columns: readonly string[], ending = '') {
  const list = columns.join(', ');
  return new BatchStatement<Row>(
    `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1) ${ending}`,
  );
}
