import type { IndexedDocument } from '@parley/sdk';
import type { ChunkHit, ChunkSearch, NewChunk } from '@parley/sdk/internal';
import type { ChunkStore, KnownDocuments } from '../../src/core/knowledge/chunk-store.ts';

/** A document for an index, of which only the id matters unless more is given. */
export function indexedDocument(id: string, more: Partial<IndexedDocument> = {}): IndexedDocument {
  return {
    document_id: id,
    file_id: `file-${id}`,
    file_name: `${id}.txt`,
    extension: 'txt',
    media_type: 'text/plain',
    created_at: '2026-01-01T00:00:00.000Z',
    title: null,
    metadata: {},
    ...more,
  };
}

export function newChunk(position: number, text: string, more: Partial<NewChunk> = {}): NewChunk {
  return {
    position,
    text,
    heading_path: [],
    page: null,
    page_end: null,
    start: position * 1000,
    end: position * 1000 + text.length,
    vector: null,
    ...more,
  };
}

/** What a sweep receives: the documents that are stored in each collection, and those that a replica works on. */
export function known(
  stored: Record<string, readonly string[]> = {},
  claimed: readonly string[] = [],
): () => Promise<Map<string, KnownDocuments>> {
  const collections = Object.entries(stored).map(
    ([name, documents]) => [name, { stored: new Set(documents), claimed: new Set(claimed) }] as const,
  );
  return async () => new Map(collections);
}

/** Stores and publishes a document as engines do. */
export async function storeDocument(
  store: ChunkStore,
  collection: string,
  document: IndexedDocument,
  chunks: readonly NewChunk[],
): Promise<void> {
  const edition = await store.begin(collection, document);
  for (let from = 0; from < chunks.length; from += 200) {
    await store.add(collection, edition, chunks.slice(from, from + 200));
  }
  await store.publish(collection, edition);
}

/** A vector of these numbers. */
export function vector(...values: number[]): Float32Array {
  return Float32Array.from(values);
}

/** Short ways to fill a store and to ask it, in the collection `c` unless another is named. */
export class ChunkStoreUser {
  readonly #store: () => ChunkStore;

  constructor(store: () => ChunkStore) {
    this.#store = store;
  }

  readonly make = (collection = 'c'): Promise<void> => this.#store().create(collection, { language: 'english' });

  /** Stores a document with a chunk for each text. */
  readonly put = (
    id: string,
    texts: readonly string[],
    more: Partial<IndexedDocument> = {},
    collection = 'c',
  ): Promise<void> =>
    storeDocument(
      this.#store(),
      collection,
      indexedDocument(id, more),
      texts.map((text, position) => newChunk(position, text)),
    );

  /** Texts of keyword matches, best first. */
  readonly found = async (text: string, more: Partial<ChunkSearch> = {}, collection = 'c'): Promise<string[]> => {
    const { keyword } = await this.#store().search(collection, { text, limit: 50, ...more });
    return this.#texts(collection, keyword);
  };

  /** Texts of what a vector finds, best first. */
  readonly nearest = async (
    wanted: Float32Array,
    more: Partial<ChunkSearch> = {},
    collection = 'c',
  ): Promise<string[]> => {
    const hits = await this.#store().search(collection, { vector: wanted, limit: 50, ...more });
    return this.#texts(collection, hits.vector);
  };

  async #texts(collection: string, hits: readonly ChunkHit[]): Promise<string[]> {
    const ids = hits.map(({ id }) => id);
    return (await this.#store().read(collection, ids)).map(({ text }) => text);
  }
}
