import type { IndexedDocument, RetrievalFilter } from '@parley/sdk';
import { type RawBuilder, sql } from 'kysely';
import { type CompiledFilters, refuseUnknownFields } from '../filters.ts';
import { type ChunkTransaction, editionTable, tablesOf } from './chunk-tables.ts';
import type { CollectionRow } from './collections.ts';

/** What the filters allow; null where they do not apply. */
export interface Allowed {
  editions: readonly string[] | null;
  /** Of {@link pagesNumber}. */
  pages: readonly string[] | null;
  /** Chunks of the editions. */
  chunks: number;
}

/** Fields of documents that are not metadata, as filters name them. */
const ownFields = ['file_id', 'document_id', 'file_name', 'extension', 'media_type', 'title', 'created_at'];

/** Finds the published editions and pages that the filters allow. */
export async function applyFilters(
  transaction: ChunkTransaction,
  collection: CollectionRow,
  filters: readonly RetrievalFilter[],
  compiled: CompiledFilters,
): Promise<Allowed> {
  const allowed: Allowed = { editions: null, pages: null, chunks: collection.chunks };
  if (compiled.lookAtDocuments) {
    const documents = await readDocuments(transaction, collection, filters);
    refuseUnknownFields(
      compiled,
      documents.map(({ document }) => document),
    );
    const matching = documents.filter(({ document }) => compiled.matchDocument(document));
    allowed.editions = matching.map(({ number }) => String(number));
    allowed.chunks = matching.reduce((sum, { chunks }) => sum + chunks, 0);
  }
  if (compiled.lookAtPages) {
    const { rows } = await sql<{ pages: string }>`
      select distinct pages::text as pages from ${tablesOf(collection.number).chunks}`.execute(transaction);
    allowed.pages = rows.map(({ pages }) => pages).filter((pages) => compiled.matchPages(...pagesOf(pages)));
  }
  return allowed;
}

interface FoundDocument {
  number: number;
  chunks: number;
  document: IndexedDocument;
}

/** Published documents with those of their fields that the filters name. */
async function readDocuments(
  transaction: ChunkTransaction,
  { number }: CollectionRow,
  filters: readonly RetrievalFilter[],
): Promise<FoundDocument[]> {
  const names = [...new Set(filters.map(({ field }) => field))];
  const own = names.filter((name) => ownFields.includes(name));
  const keys = names.filter((name) => !ownFields.includes(name));
  const value = (path: RawBuilder<unknown>, name: string) => sql`${path} -> ${name}::text`;
  const values = [
    ...own.map((name) => value(sql`document`, name)),
    ...keys.map((name) => value(sql`document -> 'metadata'`, name)),
  ];
  const { rows } = await sql<{ number: number; chunks: number; fields: unknown[] }>`
    select number, chunks, jsonb_build_array(${sql.join(values)}) as fields
    from ${editionTable}
    where collection = ${number} and state = 'published'`.execute(transaction);
  return rows.map(({ fields, ...row }) => ({
    ...row,
    document: {
      ...Object.fromEntries(own.map((name, index) => [name, fields[index]])),
      metadata: Object.fromEntries(
        keys.map((key, index) => [key, fields[own.length + index]]).filter(([, found]) => found !== null),
      ),
    } as IndexedDocument,
  }));
}

/** Pages from and to as one number, which an index finds. */
export function pagesNumber(page: number | null, pageEnd: number | null): string {
  return page === null ? '-1' : ((BigInt(page) << 32n) + BigInt(pageEnd ?? page)).toString();
}

function pagesOf(text: string): [page: number | null, pageEnd: number | null] {
  const pages = BigInt(text);
  return pages === -1n ? [null, null] : [Number(pages >> 32n), Number(pages & 0xffff_ffffn)];
}

/** SQL condition: the edition is allowed. */
export function allowsEdition(edition: RawBuilder<unknown>, { editions }: Allowed): RawBuilder<boolean> {
  return editions === null ? sql`true` : sql`${edition} = any(${editions}::bigint[])`;
}

/** SQL condition: the chunk of a row with `edition` and `pages`, by table alias, is allowed. */
export function allowsChunk(alias: 'chunks' | 'vectors', allowed: Allowed): RawBuilder<boolean> {
  const ofPages =
    allowed.pages === null ? sql`true` : sql`${sql.ref(`${alias}.pages`)} = any(${allowed.pages}::bigint[])`;
  return sql`${allowsEdition(sql.ref(`${alias}.edition`), allowed)} and ${ofPages}`;
}
