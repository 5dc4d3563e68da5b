import type { IndexedDocument } from '@parley/sdk';
import type { StemmingLanguage } from '@parley/sdk/internal';
import { sql } from 'kysely';
import { type ChunkDatabase, collectionTable, editionTable } from './chunk-tables.ts';
import { isMissingReference } from './database-faults.ts';
import { documentJson } from './indexed-documents.ts';

/** A collection: its settings, and sums over its published editions. */
export interface CollectionRow {
  number: number;
  language: StemmingLanguage;
  dimensions: number | null;
  documents: number;
  chunks: number;
  title_terms: number;
  heading_terms: number;
  body_terms: number;
}

const columns = [
  'number',
  'language',
  'dimensions',
  'documents',
  'chunks',
  'title_terms',
  'heading_terms',
  'body_terms',
] as const;

/** @param lock keeps others from changing it until the end of the transaction */
export async function findCollection(
  database: ChunkDatabase,
  collectionId: string,
  { lock = false }: { lock?: boolean | undefined } = {},
): Promise<CollectionRow | null> {
  const row = await database
    .selectFrom('collections')
    .select(columns)
    .where('collection_id', '=', collectionId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row === undefined ? null : { ...row, language: row.language as StemmingLanguage };
}

/** @returns the number of an edition that nothing was added to yet; null when there is no such collection */
export async function beginEdition(
  database: ChunkDatabase,
  collectionId: string,
  document: IndexedDocument,
): Promise<number | null> {
  try {
    const { rows } = await sql<{ number: number }>`
      insert into ${editionTable} (collection, document_id, document)
      select number, ${document.document_id}, ${documentJson(document)}::jsonb
      from ${collectionTable} where collection_id = ${collectionId}
      returning number`.execute(database);
    return rows[0]?.number ?? null;
  } catch (error) {
    if (isMissingReference(error)) return null;
    throw error;
  }
}

/** What an edition adds to the sums of its collection. */
export interface EditionSums {
  chunks: number;
  title_terms: number;
  heading_terms: number;
  body_terms: number;
}

/** Counts editions that became published, and no longer those that were. The collection must be locked. */
export async function count(
  database: ChunkDatabase,
  collection: number,
  added: readonly EditionSums[],
  removed: readonly EditionSums[],
): Promise<void> {
  const change = (column: keyof EditionSums) => {
    const sum = (editions: readonly EditionSums[]) => editions.reduce((total, edition) => total + edition[column], 0);
    return sql<number>`${sql.ref(column)} + ${sum(added) - sum(removed)}::bigint`;
  };
  await database
    .updateTable('collections')
    .set({
      documents: sql<number>`documents + ${added.length - removed.length}::integer`,
      chunks: change('chunks'),
      title_terms: change('title_terms'),
      heading_terms: change('heading_terms'),
      body_terms: change('body_terms'),
    })
    .where('number', '=', collection)
    .execute();
}
