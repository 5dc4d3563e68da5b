import { type IndexedDocument, ParleyError, type RetrievalFilter } from '@parley/sdk';
import type { ChunkHit, ChunkIndex, NewChunk, StoredChunk } from '@parley/sdk/internal';
import { wordsOf } from '../../../sdk/testing/fake-embedding.ts';

interface Edition {
  document: IndexedDocument;
  chunks: (NewChunk & { id: string })[];
}

interface FakeCollection {
  dimensions: number | null;
  /** Unpublished editions, by id. */
  unpublished: Map<string, Edition>;
  /** Published editions, by document. */
  published: Map<string, Edition>;
}

/** An index in memory, of which tests may ask whether anything was left behind. */
export interface FakeChunkIndex extends ChunkIndex {
  /** Editions that are neither published nor abandoned. */
  unpublished(collectionId: string): number;
  collections(): string[];
}

/**
 * Creates an in-memory index that fulfils the contract. Its keyword search counts query terms in text and headings,
 * rare ones more; it does no stemming.
 */
export function fakeChunkIndex(): FakeChunkIndex {
  const collections = new Map<string, FakeCollection>();
  let editions = 0;

  const editionIn = (collectionId: string, edition: string): Edition => {
    const found = collections.get(collectionId)?.unpublished.get(edition);
    if (found === undefined) throw new ParleyError('not_found', 'There is no such edition of a document');
    return found;
  };
  const chunksOf = (collection: FakeCollection | undefined): StoredChunk[] =>
    [...(collection?.published.values() ?? [])].flatMap(({ document, chunks }) =>
      chunks.map(({ vector: _, ...chunk }) => ({ ...chunk, document })),
    );

  return {
    unpublished: (collectionId) => collections.get(collectionId)?.unpublished.size ?? 0,
    collections: () => [...collections.keys()],

    async create(collectionId) {
      if (collections.has(collectionId)) return;
      collections.set(collectionId, { dimensions: null, unpublished: new Map(), published: new Map() });
    },

    async drop(collectionId) {
      collections.delete(collectionId);
    },

    async begin(collectionId, document) {
      const collection = collections.get(collectionId);
      if (collection === undefined) throw new ParleyError('not_found', 'The collection does not exist');
      editions += 1;
      collection.unpublished.set(`edition-${editions}`, { document: structuredClone(document), chunks: [] });
      return `edition-${editions}`;
    },

    async add(collectionId, edition, chunks) {
      const { chunks: stored } = editionIn(collectionId, edition);
      const collection = collections.get(collectionId) as FakeCollection;
      for (const { vector } of chunks) {
        if (vector === null) continue;
        collection.dimensions ??= vector.length;
        assertDimensions(vector, collection.dimensions);
      }
      stored.push(...chunks.map((chunk) => ({ ...structuredClone(chunk), id: `${edition}-${chunk.position}` })));
    },

    async publish(collectionId, edition) {
      const shown = editionIn(collectionId, edition);
      const collection = collections.get(collectionId) as FakeCollection;
      collection.unpublished.delete(edition);
      collection.published.set(shown.document.document_id, shown);
    },

    async abandon(collectionId, edition) {
      collections.get(collectionId)?.unpublished.delete(edition);
    },

    async remove(collectionId, documentId) {
      collections.get(collectionId)?.published.delete(documentId);
    },

    async search(collectionId, { text, vector, limit, filters = [] }) {
      const collection = collections.get(collectionId);
      if (collection === undefined) return { keyword: [], vector: [] };
      if (vector !== undefined && collection.dimensions !== null) assertDimensions(vector, collection.dimensions);
      const documents = [...collection.published.values()].map(({ document }) => document);
      for (const { field } of filters) assertKnown(field, documents);
      const within = chunksOf(collection).filter((chunk) => filters.every((filter) => holds(filter, chunk)));
      const vectors = new Map(
        [...collection.published.values()].flatMap(({ chunks }) => chunks.map((chunk) => [chunk.id, chunk.vector])),
      );
      return {
        keyword: text === undefined ? [] : best(byWords(text, within), limit),
        vector:
          vector === undefined
            ? []
            : best(
                within.flatMap(({ id }) => {
                  const stored = vectors.get(id) ?? null;
                  return stored === null ? [] : [{ id, score: cosine(vector, stored) }];
                }),
                limit,
              ),
      };
    },

    async read(collectionId, ids) {
      const chunks = new Map(chunksOf(collections.get(collectionId)).map((chunk) => [chunk.id, chunk]));
      return ids.flatMap((id) => chunks.get(id) ?? []);
    },

    async list(collectionId, documentId, { from, limit }) {
      return chunksOf(collections.get(collectionId))
        .filter(({ document, position }) => document.document_id === documentId && position >= from)
        .sort((left, right) => left.position - right.position)
        .slice(0, limit);
    },

    async statistics(collectionId) {
      const collection = collections.get(collectionId);
      if (collection === undefined) return null;
      const chunks = chunksOf(collection).length;
      return { documents: collection.published.size, chunks, dimensions: collection.dimensions };
    },
  };
}

function assertDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length === dimensions) return;
  throw new ParleyError('vector_dimensions', `Vectors have ${vector.length} dimensions, those stored ${dimensions}`);
}

const documentFields = ['file_id', 'document_id', 'file_name', 'extension', 'media_type', 'created_at', 'page'];

function assertKnown(field: string, documents: readonly IndexedDocument[]): void {
  if (documents.length === 0 || documentFields.includes(field)) return;
  if (documents.some(({ metadata }) => field in metadata)) return;
  throw new ParleyError('invalid_request', `filters: no document has the field "${field}"`);
}

function holds({ field, operator, value }: RetrievalFilter, { page, document }: StoredChunk): boolean {
  const fields: Record<string, unknown> = { ...document.metadata, ...document, page };
  const found = fields[field] as string | number | boolean | null | undefined;
  const wanted = value as string | number | boolean;
  switch (operator) {
    case '$eq':
      return found === wanted;
    case '$ne':
      return found !== wanted;
    case '$in':
      return (value as unknown[]).includes(found);
    case '$nin':
      return !(value as unknown[]).includes(found);
  }
  if (found === null || found === undefined || typeof found !== typeof wanted) return false;
  switch (operator) {
    case '$gt':
      return found > wanted;
    case '$gte':
      return found >= wanted;
    case '$lt':
      return found < wanted;
    case '$lte':
      return found <= wanted;
  }
}

function byWords(text: string, chunks: readonly StoredChunk[]): ChunkHit[] {
  const words = new Set(wordsOf(text));
  const counted = chunks.map((chunk) => ({
    id: chunk.id,
    words: wordsOf([chunk.document.title ?? '', ...chunk.heading_path, chunk.text].join(' ')),
  }));
  const frequency = (word: string) => counted.filter((chunk) => chunk.words.includes(word)).length;
  const weights = new Map([...words].map((word) => [word, Math.log(1 + chunks.length / (frequency(word) + 0.5))]));
  return counted
    .map((chunk) => ({
      id: chunk.id,
      score: [...weights].reduce((sum, [word, weight]) => sum + (chunk.words.includes(word) ? weight : 0), 0),
    }))
    .filter(({ score }) => score > 0);
}

function best(hits: ChunkHit[], limit: number): ChunkHit[] {
  return hits.sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1)).slice(0, limit);
}

function cosine(left: Float32Array, right: Float32Array): number {
  let product = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let place = 0; place < left.length; place += 1) {
    const [one = 0, other = 0] = [left[place], right[place]];
    product += one * other;
    leftSquares += one * one;
    rightSquares += other * other;
  }
  return leftSquares === 0 || rightSquares === 0 ? 0 : product / Math.sqrt(leftSquares * rightSquares);
}
