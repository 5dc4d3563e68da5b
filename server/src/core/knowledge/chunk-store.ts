import type { ChunkIndex } from '@parley/sdk';

/** The service's store of chunks: what engines see of it, and what the service keeps in it for them. */
export interface ChunkStore extends ChunkIndex {
  /**
   * Vectors that were made before.
   * @param model names the model and whatever else its vectors depend on
   * @param hashes SHA-256 of the texts, hex
   * @returns in their order, null where there is none
   */
  knownVectors(model: string, hashes: readonly string[]): Promise<(Float32Array | null)[]>;
  /** Keeps vectors for when the same texts come again. The oldest go when there are too many. */
  keepVectors(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void>;
  /**
   * The published documents of a collection by their ids, with how many chunks each has. Empty when there is no such
   * collection, and when what was stored is lost: it can all be made again from the originals.
   */
  documents(collectionId: string): Promise<Map<string, number>>;
  /**
   * Removes whatever belongs to none of these: collections, documents in them, and editions that were never published.
   * Called when nothing is under way, after a start.
   * @returns how many collections, documents and editions were removed
   */
  sweep(known: ReadonlyMap<string, ReadonlySet<string>>): Promise<number>;
  close(): Promise<void>;
}
