import type { RetrievalFilter } from './retrieval.ts';

/** The language whose words are cut to their stems; scripts without spaces are cut into words whatever it is. */
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

/** A piece of a document that is found by itself. */
export interface Chunk {
  /** From 0, in the order of the document. */
  position: number;
  text: string;
  /** Headings that it stands below, the outermost first. */
  heading_path: string[];
  page: number | null;
  page_end: number | null;
  /** Where it stands in the document's text, in UTF-16 code units. */
  start: number;
  end: number;
}

/** A chunk that goes into the index. */
export interface NewChunk extends Chunk {
  /** Null in a collection without an embedding model. Need not be of length 1. */
  vector: Float32Array | null;
}

/** What is known of a document whose chunks are stored; what filters look at. */
export interface IndexedDocument {
  document_id: string;
  file_id: string;
  file_name: string;
  extension: string;
  media_type: string;
  /** ISO 8601 UTC. */
  created_at: string;
  /** What the document calls itself; weighs more than the text. */
  title: string | null;
  metadata: Record<string, string | number | boolean>;
}

export interface StoredChunk extends Chunk {
  /** Unique in its collection, the same as long as the document is not indexed anew. */
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
  /** Searched for by its words; left out for no search by words. */
  text?: string;
  /** Searched for by closeness; left out for none. */
  vector?: Float32Array;
  /** Most hits of each. */
  limit: number;
  /** Fields are those of {@link IndexedDocument}, its `metadata`, and `page`. */
  filters?: readonly RetrievalFilter[];
  /** Compares with every vector instead of the quick search, for measuring it. */
  exact?: boolean;
}

/**
 * Where chunks are kept and searched, by collections that know nothing of each other. What is asked of a collection that
 * does not exist finds nothing, except where an error is named.
 */
export interface ChunkIndex {
  /** Makes a collection; nothing happens when it is there. The first vectors settle its dimensions. */
  create(collectionId: string, options: { language: StemmingLanguage }): Promise<void>;
  /** Removes a collection with everything in it. It is not found from when this is called. */
  drop(collectionId: string): Promise<void>;
  /**
   * Begins to store a document. Nothing of it is found before it is published, and what is stored of it so far is.
   * @returns what names this edition of the document
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
   * Shows an edition instead of what was shown of its document before, at once.
   * @throws ParleyError `not_found` when there is no such edition
   */
  publish(collectionId: string, edition: string): Promise<void>;
  /** Forgets an edition that is not published. */
  abandon(collectionId: string, edition: string): Promise<void>;
  /** Removes a document, with editions that are not published yet. It is not found from when this resolves. */
  remove(collectionId: string, documentId: string): Promise<void>;
  /**
   * @returns what each way of searching found; empty for one that was not asked for
   * @throws ParleyError `vector_dimensions` when the vector is of another length than the collection's
   * @throws ParleyError `invalid_request` when a filter names a field that no document of the collection has (where there
   * are no documents at all, nothing is found), when it cannot be understood, or when the vector has no direction
   */
  search(collectionId: string, search: ChunkSearch): Promise<{ keyword: ChunkHit[]; vector: ChunkHit[] }>;
  /** Chunks by their ids, in their order; those that are gone are left out. */
  read(collectionId: string, ids: readonly string[]): Promise<StoredChunk[]>;
  /** The published chunks of a document in order, from a position on. */
  list(collectionId: string, documentId: string, page: { from: number; limit: number }): Promise<StoredChunk[]>;
  /** Published documents and chunks; `dimensions` is null while there are no vectors. Null when there is no collection. */
  statistics(collectionId: string): Promise<{ documents: number; chunks: number; dimensions: number | null } | null>;
}
