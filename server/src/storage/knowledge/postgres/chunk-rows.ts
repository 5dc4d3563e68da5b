import { setImmediate as nextTurn } from 'node:timers/promises';
import { type IndexedDocument, ParleyError } from '@parley/sdk';
import type { NewChunk, StemmingLanguage, StoredChunk } from '@parley/sdk/internal';
import { type RawBuilder, sql } from 'kysely';
import { storableText } from '../../../lib/storable-text.ts';
import { pagesNumber } from './chunk-filter.ts';
import { type ChunkDatabase, type ChunkTransaction, editionTable, tablesOf } from './chunk-tables.ts';
import type { EditionSums } from './collections.ts';
import { type CountedChunk, countTerms, postingRows, termsOfTitle } from './postings.ts';

/** Chunks whose terms are counted before yielding: tokenizing takes a while. */
const countedAtOnce = 8;
/** Rows of postings that are inserted by one statement. */
const postingBatch = 1000;
/** Chunks that are read by one statement. */
const readBatch = 1000;
const highestId = 2 ** 31 - 1;

/** Counts the terms of chunks, for {@link insertChunks}. */
export async function countChunks(
  chunks: readonly NewChunk[],
  title: string | null,
  language: StemmingLanguage,
): Promise<CountedChunk[]> {
  const titleTerms = termsOfTitle(title, language);
  const counted: CountedChunk[] = [];
  for (const chunk of chunks) {
    counted.push(countTerms(titleTerms, chunk, language));
    if (counted.length % countedAtOnce === 0) await nextTurn();
  }
  return counted;
}

/** Stores chunks with their index entries. @returns their ids, in their order */
export async function insertChunks(
  transaction: ChunkTransaction,
  { collection, edition }: { collection: number; edition: number },
  chunks: readonly NewChunk[],
  counted: readonly CountedChunk[],
): Promise<number[]> {
  const tables = tablesOf(collection);
  const { rows } = await sql<{ id: number }>`
    select nextval(${tables.ids})::integer as id from generate_series(1, ${chunks.length}::integer)`.execute(
    transaction,
  );
  const ids = rows.map(({ id }) => id);
  const column = <Value>(value: (chunk: NewChunk) => Value) => chunks.map(value);
  await sql`
    insert into ${tables.chunks}
      (id, edition, position, text, heading_path, page, page_end, pages, start_offset, end_offset)
    select id, ${edition}::bigint, position, text, heading_path, page, page_end, pages, start_offset, end_offset
    from unnest(
      ${ids}::integer[],
      ${column(({ position }) => position)}::integer[],
      ${column(({ text }) => storableText(text))}::text[],
      ${column(({ heading_path }) => JSON.stringify(heading_path.map(storableText)))}::text[],
      ${column(({ page }) => page)}::integer[],
      ${column(({ page_end }) => page_end)}::integer[],
      ${column(({ page, page_end }) => pagesNumber(page, page_end))}::bigint[],
      ${column(({ start }) => start)}::integer[],
      ${column(({ end }) => end)}::integer[]
    ) as added (id, position, text, heading_path, page, page_end, pages, start_offset, end_offset)`.execute(
    transaction,
  );
  const postings = postingRows(new Map(ids.map((id, index) => [id, counted[index] as CountedChunk])));
  for (let from = 0; from < postings.length; from += postingBatch) {
    const part = postings.slice(from, from + postingBatch);
    await sql`
      insert into ${tables.postings} (term, edition, chunk_count, postings)
      select term, ${edition}::bigint, chunk_count, postings
      from unnest(
        ${part.map(({ term }) => storableText(term))}::text[],
        ${part.map(({ chunk_count }) => chunk_count)}::integer[],
        ${part.map((row) => row.postings)}::bytea[]
      ) as added (term, chunk_count, postings)`.execute(transaction);
  }
  return ids;
}

export function sumsOf(counted: readonly CountedChunk[]): EditionSums {
  const sum = (value: (lengths: CountedChunk['lengths']) => number) =>
    counted.reduce((total, { lengths }) => total + value(lengths), 0);
  return {
    chunks: counted.length,
    title_terms: sum(({ title }) => title),
    heading_terms: sum(({ headings }) => headings),
    body_terms: sum(({ body }) => body),
  };
}

/** Published chunks by their ids, in the order of the ids. */
export async function readChunks(
  database: ChunkDatabase,
  collection: number,
  ids: readonly string[],
): Promise<StoredChunk[]> {
  const wanted = [...new Set(ids.map(idOf))].filter((id) => id !== null);
  const found = new Map<string, StoredChunk>();
  for (let from = 0; from < wanted.length; from += readBatch) {
    const part = wanted.slice(from, from + readBatch);
    const chunks = await selectChunks(database, collection, sql`chunks.id = any(${part}::integer[])`);
    for (const chunk of chunks) found.set(chunk.id, chunk);
  }
  return ids.map((id) => found.get(id)).filter((chunk) => chunk !== undefined);
}

/** Published chunks of a document, from a position on. */
export function listChunks(
  database: ChunkDatabase,
  collection: number,
  documentId: string,
  { from, limit }: { from: number; limit: number },
): Promise<StoredChunk[]> {
  return selectChunks(
    database,
    collection,
    sql`editions.collection = ${collection} and editions.document_id = ${documentId}
      and chunks.position >= ${from} order by chunks.position limit ${limit}`,
  );
}

interface ChunkRow {
  id: number;
  position: number;
  text: string;
  heading_path: string;
  page: number | null;
  page_end: number | null;
  start_offset: number;
  end_offset: number;
  document: IndexedDocument;
}

async function selectChunks(
  database: ChunkDatabase,
  collection: number,
  condition: RawBuilder<unknown>,
): Promise<StoredChunk[]> {
  const { rows } = await sql<ChunkRow>`
    select chunks.id, chunks.position, chunks.text, chunks.heading_path, chunks.page, chunks.page_end,
      chunks.start_offset, chunks.end_offset, editions.document
    from ${tablesOf(collection).chunks} as chunks
    join ${editionTable} as editions on editions.number = chunks.edition and editions.state = 'published'
    where ${condition}`.execute(database);
  return rows.map(({ id, heading_path, start_offset, end_offset, ...row }) => ({
    ...row,
    id: String(id),
    heading_path: JSON.parse(heading_path) as string[],
    start: start_offset,
    end: end_offset,
  }));
}

function idOf(text: string): number | null {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= highestId ? Number(text) : null;
}

/** The number that an edition is named by. @throws ParleyError `not_found` when it is none */
export function editionNumber(edition: string): number {
  if (!/^[1-9]\d{0,14}$/.test(edition)) throw noEdition();
  return Number(edition);
}

export function noEdition(): ParleyError {
  return new ParleyError('not_found', 'The edition does not exist or is closed');
}
