import { join } from 'node:path';

/** How many vectors of texts are kept for when the same texts come again. */
export interface EmbeddingCacheLimit {
  count: number;
  bytes: number;
}

/** How much is read for one search by words; what goes beyond is estimated as `searchByWords` says. */
export interface WordBudget {
  /** Places of words that are read, one of the rarest words excepted. */
  postings: number;
  /** Collections with no more chunks are always read completely. */
  smallCollection: number;
  /** Chunks that are scored by the commoner words. */
  candidates: number;
}

export interface ChunkDatabaseOptions {
  embeddingCache: EmbeddingCacheLimit;
  words: WordBudget;
  /** Collections with as many vectors get codes; smaller ones are compared completely. */
  codesFrom: number;
  /** Bytes of collections in memory; the one that is worked with may be larger. */
  memory: number;
}

export const defaultOptions: ChunkDatabaseOptions = {
  embeddingCache: { count: 200_000, bytes: 256 * 1024 * 1024 },
  words: { postings: 20_000, smallCollection: 5000, candidates: 400 },
  codesFrom: 5000,
  memory: 64 * 1024 * 1024,
};

/** The file that holds chunks and vectors; it is not there before the first use. */
export function chunkDatabaseFile(dataDir: string): string {
  return join(dataDir, 'knowledge.db');
}
