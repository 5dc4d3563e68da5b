import type { KnowledgeFile } from './knowledge-file.ts';
import { type Pieces, pieceMs } from './work-queue.ts';

/** How far an edition is: being written, shown, or to be removed. */
export const editionState = { written: 0, published: 1, removed: 2 } as const;

/**
 * The tables of one collection. Separate tables make removal cheap and keep vectors of different lengths apart.
 *
 * The index of chunks covers all columns that are loaded into memory, so that the texts need not be read.
 */
export function createTables(file: KnowledgeFile, number: number): void {
  file.execute(`
    create table editions_${number} (
      number integer primary key autoincrement,
      document_id text not null,
      state integer not null,
      chunks integer not null default 0,
      document text not null
    );
    create index editions_${number}_by_document on editions_${number} (document_id, state);
    create index editions_${number}_by_state on editions_${number} (state, chunks);
    create table chunks_${number} (
      id integer primary key autoincrement,
      edition integer not null,
      position integer not null,
      page integer,
      page_end integer,
      title_terms integer not null,
      heading_terms integer not null,
      body_terms integer not null,
      has_vector integer not null,
      heading_path text not null,
      start integer not null,
      "end" integer not null,
      text text not null
    );
    create index chunks_${number}_entries on chunks_${number}
      (edition, position, page, page_end, title_terms, heading_terms, body_terms, has_vector);
    create virtual table terms_${number} using fts5 (
      title, headings, body, columnsize = 0, tokenize = "ascii tokenchars '_'"
    );
    create virtual table terms_${number}_row using fts5vocab (terms_${number}, row);
    create virtual table terms_${number}_instance using fts5vocab (terms_${number}, instance);
    create table vectors_${number} (id integer primary key, vector blob not null);
    create table codes_${number} (id integer primary key, code blob not null);
  `);
}

/** Tables to empty first, since dropping a large table blocks everything else. */
const emptied: readonly [table: string, key: string][] = [
  ['terms_$_data', 'id'],
  ['terms_$_content', 'id'],
  ['vectors_$', 'id'],
  ['codes_$', 'id'],
  ['chunks_$', 'id'],
  ['editions_$', 'number'],
];

/** Removes the tables of a collection in small steps, then its record. */
export function* dropTables(file: KnowledgeFile, number: number): Pieces<void> {
  for (const [pattern, key] of emptied) {
    const table = pattern.replace('$', String(number));
    if (file.get('select 1 from sqlite_schema where name = ?', table) === undefined) continue;
    const statement = `delete from ${table} where ${key} in (select ${key} from ${table} limit 50)`;
    let isEmpty = false;
    while (!isEmpty) {
      file.transaction(() => {
        const until = performance.now() + pieceMs;
        while (!isEmpty && performance.now() < until) isEmpty = file.run(statement).changes === 0;
      });
      yield;
    }
  }
  file.transaction(() => {
    file.execute(`
      drop table if exists terms_${number}_row;
      drop table if exists terms_${number}_instance;
      drop table if exists terms_${number};
      drop table if exists vectors_${number};
      drop table if exists codes_${number};
      drop table if exists chunks_${number};
      drop table if exists editions_${number};
    `);
    file.run('delete from collections where number = ?', number);
  });
}
