import type { ChunkIndex } from '@parley/sdk/internal';

/** The documents of a collection, by their ids. */
export interface KnownDocuments {
  /** Those that are stored in it. */
  stored: ReadonlySet<string>;
  /** Those that a living replica works on. Nothing of theirs is removed. */
  claimed: ReadonlySet<string>;
}

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
   * Removes everything that belongs to nothing: collections, documents in them, and editions that were never published.
   * Other replicas may be storing documents meanwhile.
   * @param read what there is, by collection; called once what is stored has been listed, so that nothing is taken for unknown
   * whose record was made since
   * @returns how many collections, documents and editions were removed
   */
  sweep(read: () => Promise<ReadonlyMap<string, KnownDocuments>>): Promise<number>;
  close(): Promise<void>;
}
