import { ParleyError } from '@parley/sdk';
import type { ChunkHit } from '@parley/sdk/internal';
import { type RawBuilder, sql } from 'kysely';
import { type Allowed, allowsChunk } from './chunk-filter.ts';
import { type ChunkTransaction, editionTable, tablesOf } from './chunk-tables.ts';
import type { VectorNames } from './pgvector.ts';

/** Dimensions that the extension keeps, and that it searches by an index: whole numbers, and with halved precision. */
const maximumDimensions = 16_000;
const indexedDimensions = 2000;
const halfIndexedDimensions = 4000;
/** So many vectors are compared one by one: that is exact, and not slower than the index. */
const defaultQuickComparisons = 2000;
/** So many are compared when they are few among all: the index would have to pass over too many others. */
const comparedWhenFew = 50_000;
const few = 0.05;
/** Bounds of the index search effort (`ef_search`); higher finds more. */
const effort = { least: 100, forHit: 3, most: 1000 };
/** Hits of halved precision that are compared in full, for each that is wanted. */
const comparedInFull = 4;
/** Vectors that are added by one statement, since each takes a while to go into the index. */
const batch = 64;

/**
 * A vector of length 1, so that rounding does not depend on how long it was.
 * @throws ParleyError `vector_dimensions` or `invalid_request`
 */
export function normalized(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions || dimensions === 0 || dimensions > maximumDimensions) {
    throw new ParleyError(
      'vector_dimensions',
      dimensions > 0 && dimensions <= maximumDimensions
        ? `The vector has ${vector.length} dimensions, those that are stored have ${dimensions}`
        : `A vector of ${vector.length} dimensions cannot be stored`,
    );
  }
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0 || !Number.isFinite(sum)) {
    throw new ParleyError('invalid_request', 'A vector is all zeros or contains a number that is not finite');
  }
  const length = Math.sqrt(sum);
  return vector.map((value) => value / length);
}

/** Creates the table of a collection's vectors, with an index if the extension supports it. */
export async function makeVectorTable(
  transaction: ChunkTransaction,
  names: VectorNames,
  { number, dimensions }: { number: number; dimensions: number },
): Promise<void> {
  const { vectors } = tablesOf(number);
  await sql`
    create table ${vectors} (
      chunk integer primary key,
      edition bigint not null,
      pages bigint not null,
      vector ${names.vector(dimensions)} not null
    )`.execute(transaction);
  await sql`create index on ${vectors} (edition)`.execute(transaction);
  const indexed = indexedValue(names, dimensions);
  if (indexed !== null) {
    await sql`create index on ${vectors} using hnsw (${indexed.value} ${indexed.operators})`.execute(transaction);
  }
}

export interface VectorRow {
  chunk: number;
  pages: string;
  /** Of length 1. */
  vector: Float32Array;
}

export async function insertVectors(
  transaction: ChunkTransaction,
  names: VectorNames,
  { number, dimensions }: { number: number; dimensions: number },
  { edition, rows }: { edition: number; rows: readonly VectorRow[] },
): Promise<void> {
  for (let from = 0; from < rows.length; from += batch) {
    const part = rows.slice(from, from + batch);
    await sql`
      insert into ${tablesOf(number).vectors} (chunk, edition, pages, vector)
      select chunk, ${edition}::bigint, pages, vector::${names.vector(dimensions)}
      from unnest(
        ${part.map(({ chunk }) => chunk)}::integer[],
        ${part.map(({ pages }) => pages)}::bigint[],
        ${part.map(({ vector }) => textOf(vector))}::text[]
      ) as added (chunk, pages, vector)`.execute(transaction);
  }
}

export interface VectorSearch {
  /** Of length 1. */
  vector: Float32Array;
  limit: number;
  allowed: Allowed;
  exact: boolean;
  /** Published chunks of the collection. */
  chunks: number;
  /** Up to this many chunks, always compares all, whatever `exact` says. */
  quicklyCompared?: number | undefined;
}

/** Finds the closest vectors of chunks that may be found. */
export async function searchByVector(
  transaction: ChunkTransaction,
  names: VectorNames,
  { number, dimensions }: { number: number; dimensions: number },
  search: VectorSearch,
): Promise<ChunkHit[]> {
  const { allowed, chunks, limit, quicklyCompared = defaultQuickComparisons } = search;
  if (allowed.chunks === 0 || allowed.pages?.length === 0) return [];
  const vectors = tablesOf(number).vectors;
  const wanted = sql`${textOf(search.vector)}::${names.vector(dimensions)}`;
  const distance = sql`${sql.ref('vectors.vector')} ${names.cosineDistance} ${wanted}`;
  const mayBeFound = allowsChunk('vectors', allowed);
  const indexed = indexedValue(names, dimensions);
  const isQuick =
    allowed.chunks <= quicklyCompared || (allowed.chunks <= comparedWhenFew && allowed.chunks < chunks * few);
  if (indexed !== null && !search.exact && !isQuick) {
    const hits = await byIndex(indexed);
    // Filters on pages may reject too much for the index, which gives up after a while.
    if (hits.length >= limit || allowed.pages === null) return hits;
  }
  // Only an order by the plain distance would make use of the index.
  return found(sql`
    select vectors.chunk, 1 - (${distance}) as score
    from ${vectors} as vectors
    join ${editionTable} as editions on editions.number = vectors.edition and editions.state = 'published'
    where ${mayBeFound}
    order by (${distance}) + 0, vectors.chunk
    limit ${limit}`);

  async function byIndex({ value, type }: IndexedValue): Promise<ChunkHit[]> {
    const isFull = dimensions <= indexedDimensions;
    const most = isFull ? limit : limit * comparedInFull;
    const looked = Math.min(effort.most, Math.max(effort.least, most * effort.forHit));
    await sql`
      select set_config('hnsw.ef_search', ${String(looked)}, true),
        set_config('hnsw.iterative_scan', 'relaxed_order', true),
        set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(transaction);
    return found(sql`
      select chunk, score from (
        select vectors.chunk, 1 - (${distance}) as score
        from ${vectors} as vectors
        join ${editionTable} as editions on editions.number = vectors.edition and editions.state = 'published'
        where ${mayBeFound}
        order by ${value} ${names.cosineDistance} ${textOf(search.vector)}::${type}
        limit ${most}
      ) as near order by score desc, chunk limit ${limit}`);
  }

  async function found(query: RawBuilder<unknown>): Promise<ChunkHit[]> {
    const { rows } = await (query as RawBuilder<{ chunk: number; score: number }>).execute(transaction);
    return rows.map(({ chunk, score }) => ({ id: String(chunk), score }));
  }
}

interface IndexedValue {
  value: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  operators: RawBuilder<unknown>;
}

/** The indexed expression; null if there are too many dimensions for an index. */
function indexedValue(names: VectorNames, dimensions: number): IndexedValue | null {
  if (dimensions <= indexedDimensions) {
    return { value: sql.ref('vector'), type: names.vector(dimensions), operators: names.vectorCosine };
  }
  if (dimensions > halfIndexedDimensions) return null;
  const type = names.halfVector(dimensions);
  return { value: sql`(${sql.ref('vector')}::${type})`, type, operators: names.halfVectorCosine };
}

function textOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
