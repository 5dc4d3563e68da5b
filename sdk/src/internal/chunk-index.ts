import type { IndexedDocument } from '../knowledge-engine.ts';
import type { RetrievalFilter } from '../retrieval.ts';

/** The language for stemming; scripts without spaces are segmented into words in any case. */
export type StemmingLanguage = (typeof stemmingLanguages)[number];
export const stemmingLanguages = [
  'english',
  'german',
  'french',
  'spanish',
  'portuguese',
  'italian',
  'dutch',
  'swedish',
  'norwegian',
  'danish',
  'finnish',
  'russian',
  'turkish',
  'none',
] as const;

/** A chunk of a document, the unit of retrieval. */
export interface Chunk {
  /** From 0, in the order of the document. */
  position: number;
  text: string;
  /** Headings that it stands below, the outermost first. */
  heading_path: string[];
  page: number | null;
  page_end: number | null;
  /** Position in the document's text, in UTF-16 code units. */
  start: number;
  end: number;
}

/** A chunk that goes into the index. */
export interface NewChunk extends Chunk {
  /** Null in a collection without an embedding model. Need not be of length 1. */
  vector: Float32Array | null;
}

export interface StoredChunk extends Chunk {
  /** Unique in its collection, stable until the document is re-indexed. */
  id: string;
  document: IndexedDocument;
}

/** Best first. */
export interface ChunkHit {
  id: string;
  /** BM25, or cosine similarity from -1 to 1. */
  score: number;
}

export interface ChunkSearch {
  /** Query text for keyword search; omit for none. */
  text?: string;
  /** Query vector for semantic search; omit for none. */
  vector?: Float32Array;
  /** Most hits of each. */
  limit: number;
  /** Fields are those of {@link IndexedDocument}, its `metadata`, and `page`. */
  filters?: readonly RetrievalFilter[];
  /** Compares with every vector instead of the quick search, for measuring it. */
  exact?: boolean;
}

/**
 * Stores and searches chunks in independent collections. Calls for a collection that does not exist find nothing,
 * except where an error is named.
 */
export interface ChunkIndex {
  /** Creates a collection unless it exists. The first vectors determine its dimensions. */
  create(collectionId: string, options: { language: StemmingLanguage }): Promise<void>;
  /** Removes a collection with everything in it. It is not found from when this is called. */
  drop(collectionId: string): Promise<void>;
  /**
   * Starts to store a document. The new edition is not searched before it is published; until then, the current one is.
   * @returns the id of the new edition
   * @throws ParleyError `not_found` when there is no such collection
   */
  begin(collectionId: string, document: IndexedDocument): Promise<string>;
  /**
   * Adds chunks to an edition, at most a few hundred at once.
   * @throws ParleyError `vector_dimensions` when vectors are of another length than the collection's
   * @throws ParleyError `invalid_request` when a vector has no direction: all zeros, or not a number somewhere
   * @throws ParleyError `vectors_unavailable` when the database cannot keep any
   * @throws ParleyError `not_found` when there is no such edition
   */
  add(collectionId: string, edition: string, chunks: readonly NewChunk[]): Promise<void>;
  /**
   * Atomically replaces the published edition of the document with this one.
   * @throws ParleyError `not_found` when there is no such edition
   */
  publish(collectionId: string, edition: string): Promise<void>;
  /** Forgets an edition that is not published. */
  abandon(collectionId: string, edition: string): Promise<void>;
  /** Removes a document, with editions that are not published yet. It is not found from when this resolves. */
  remove(collectionId: string, documentId: string): Promise<void>;
  /**
   * @returns results of each kind of search; empty for one that was not requested
   * @throws ParleyError `vector_dimensions` when the vector's length differs from the collection's
   * @throws ParleyError `invalid_request` when a filter is invalid or names a field that no document of the collection
   *   has (without any documents, nothing is found), or when the vector is zero
   */
  search(collectionId: string, search: ChunkSearch): Promise<{ keyword: ChunkHit[]; vector: ChunkHit[] }>;
  /** Chunks by id, in the given order; missing ones are omitted. */
  read(collectionId: string, ids: readonly string[]): Promise<StoredChunk[]>;
  /** The published chunks of a document in order, from a position on. */
  list(collectionId: string, documentId: string, page: { from: number; limit: number }): Promise<StoredChunk[]>;
  /** Published documents and chunks; `dimensions` is null while there are no vectors. Null when there is no collection. */
  statistics(collectionId: string): Promise<{ documents: number; chunks: number; dimensions: number | null } | null>;
}
