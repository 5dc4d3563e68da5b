import type { ChunkIndex } from '@parley/sdk/internal';

/** The service's store of chunks: the view of engines, and what the service maintains in it for them. */
export interface ChunkStore extends ChunkIndex {
  /**
   * Cached vectors.
   * @param model names the model and whatever else its vectors depend on
   * @param hashes SHA-256 of the texts, hex
   * @returns in their order, null for each missing one
   */
  knownVectors(model: string, hashes: readonly string[]): Promise<(Float32Array | null)[]>;
  /** Caches vectors. Evicts the oldest when there are too many. */
  keepVectors(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void>;
  /**
   * The published documents of a collection by their ids, with how many chunks each has. Empty when there is no such
   * collection, and after data loss: everything can be rebuilt from the originals.
   */
  documents(collectionId: string): Promise<Map<string, number>>;
  /**
   * Removes everything that belongs to none of these: collections, documents in them, and editions that were never
   * published. Called after a start, while nothing is being indexed.
   * @returns how many collections, documents and editions were removed
   */
  sweep(known: ReadonlyMap<string, ReadonlySet<string>>): Promise<number>;
  close(): Promise<void>;
}
