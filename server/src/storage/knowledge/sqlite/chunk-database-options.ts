import { join } from 'node:path';

/** Size limits of the embedding cache. */
export interface EmbeddingCacheLimit {
  count: number;
  bytes: number;
}

/** How much one keyword search reads; the rest is estimated, see `searchByWords`. */
export interface WordBudget {
  /** Postings to read; the rarest term is always read. */
  postings: number;
  /** Collections with no more chunks are always read completely. */
  smallCollection: number;
  /** Chunks that are scored by the more common terms. */
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

/** The file of chunks and vectors; created on first use. */
export function chunkDatabaseFile(dataDir: string): string {
  return join(dataDir, 'knowledge.db');
}
