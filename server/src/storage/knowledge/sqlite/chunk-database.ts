import { type IndexedDocument, ParleyError } from '@parley/sdk';
import type { ChunkHit, ChunkSearch, NewChunk, StemmingLanguage, StoredChunk } from '@parley/sdk/internal';
import type { KnownDocuments } from '../../../core/knowledge/chunk-store.ts';
import { termsOf } from '../../../lib/search-terms/search-terms.ts';
import type { ChunkDatabaseOptions } from './chunk-database-options.ts';
import { Collection, type CollectionRow, readCollections } from './collection.ts';
import { createTables, dropTables, editionState } from './collection-tables.ts';
import { EditionWriter, numberOf } from './edition-writer.ts';
import { EmbeddingCache } from './embedding-cache.ts';
import type { KnowledgeFile } from './knowledge-file.ts';
import { checkDimensions, normalised, searchByVector } from './search-by-vector.ts';
import { searchByWords } from './search-by-words.ts';
import { encode, giveBack, purge } from './upkeep.ts';
import { inOnePiece, type Pieces, type WorkEvents, WorkQueue } from './work-queue.ts';

/** Terms of a query that are searched, and characters that are read for them. */
const maximumTerms = 1000;
const maximumQuestion = 65_536;

/**
 * The chunk store inside its thread. Reads are answered at once; writes go through a queue in small steps. Writes to
 * one edition keep their order.
 */
export class ChunkDatabase {
  readonly #file: KnowledgeFile;
  readonly #options: ChunkDatabaseOptions;
  readonly #collections: Map<string, Collection>;
  readonly #embeddings: EmbeddingCache;
  readonly #queue: WorkQueue;

  /** @param events `failed` receives errors of background work, `idle` is called when no work is left */
  constructor(file: KnowledgeFile, options: ChunkDatabaseOptions, events: WorkEvents) {
    this.#file = file;
    this.#options = options;
    this.#embeddings = new EmbeddingCache(file, options.embeddingCache);
    this.#queue = new WorkQueue(events);
    this.#collections = new Map(readCollections(file).map((collection) => [collection.id, collection]));
    // Work that was interrupted when the process ended.
    const dropped = file.all<[number]>('select number from collections where is_dropped = 1');
    for (const [number] of dropped) this.#queue.runInBackground(this.#removal(number));
    for (const collection of this.#collections.values()) this.#queue.runInBackground(this.#purge(collection));
  }

  /** No work is running or queued. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  create(collectionId: string, language: StemmingLanguage): void {
    if (this.#collections.has(collectionId)) return;
    const row = this.#file.transaction((): CollectionRow => {
      const { id: number } = this.#file.run(
        'insert into collections (collection_id, language) values (?, ?)',
        collectionId,
        language,
      );
      createTables(this.#file, number);
      return [number, collectionId, language, null, null];
    });
    this.#collections.set(collectionId, new Collection(this.#file, row));
  }

  drop(collectionId: string): void {
    const collection = this.#collections.get(collectionId);
    if (collection === undefined) return;
    this.#file.run('update collections set is_dropped = 1 where number = ?', collection.number);
    this.#collections.delete(collectionId);
    collection.isDropped = true;
    collection.unload();
    this.#queue.runInBackground(this.#removal(collection.number));
  }

  begin(collectionId: string, document: IndexedDocument): string {
    const collection = this.#used(collectionId);
    if (collection === null) throw noCollection();
    return String(this.#writer(collection).begin(document));
  }

  async add(collectionId: string, edition: string, chunks: readonly NewChunk[]): Promise<void> {
    const collection = this.#used(collectionId);
    if (collection === null) throw noCollection();
    await this.#queue.run(this.#writer(collection).add(edition, chunks));
    this.#encodeIfMany(collection);
  }

  async publish(collectionId: string, edition: string): Promise<void> {
    const collection = this.#used(collectionId);
    if (collection === null) throw noCollection();
    // After earlier additions.
    await this.#queue.run(inOnePiece(() => this.#writer(collection).publish(edition)));
    this.#queue.runInBackground(this.#purge(collection));
  }

  abandon(collectionId: string, edition: string): void {
    const collection = this.#collections.get(collectionId);
    const number = numberOf(edition);
    if (collection === undefined || number === null) return;
    this.#remove(collection, 'number = ? and state = ?', number, editionState.written);
  }

  remove(collectionId: string, documentId: string): void {
    const collection = this.#collections.get(collectionId);
    if (collection === undefined) return;
    this.#remove(collection, 'document_id = ? and state <> ?', documentId, editionState.removed);
  }

  search(collectionId: string, search: ChunkSearch): { keyword: ChunkHit[]; vector: ChunkHit[] } {
    const collection = this.#used(collectionId);
    if (collection === null) return { keyword: [], vector: [] };
    const { table, number, dimensions } = collection;
    if (search.vector !== undefined && dimensions !== null) checkDimensions(search.vector, dimensions);
    const vector = search.vector === undefined ? null : normalised(search.vector);
    const allowed = collection.allowed(search.filters);
    const limit = Math.min(search.limit, table.count);
    const keyword =
      search.text === undefined
        ? []
        : searchByWords(
            this.#file,
            number,
            table,
            [...new Set(termsOf(search.text.slice(0, maximumQuestion), collection.language))].slice(0, maximumTerms),
            allowed,
            limit,
            this.#options.words,
            collection.frequencies,
          );
    const centre = search.exact === true ? null : collection.centre;
    this.#encodeIfMany(collection);
    return {
      keyword,
      vector: vector === null ? [] : searchByVector(this.#file, number, table, vector, centre, allowed, limit),
    };
  }

  read(collectionId: string, ids: readonly string[]): StoredChunk[] {
    const collection = this.#collections.get(collectionId);
    if (collection === undefined) return [];
    const chunks = new Map<number, StoredChunk>();
    const documents = new Map<number, IndexedDocument>();
    return ids.flatMap((id) => {
      const number = numberOf(id);
      if (number === null) return [];
      let chunk = chunks.get(number);
      if (chunk === undefined) {
        const row = this.#file.get<ChunkRow>(`${this.#chunkQuery(collection)} where chunks.id = ?`, number);
        if (row === undefined) return [];
        chunk = storedChunk(row, documents);
        chunks.set(number, chunk);
      }
      return [chunk];
    });
  }

  list(collectionId: string, documentId: string, { from, limit }: { from: number; limit: number }): StoredChunk[] {
    const collection = this.#collections.get(collectionId);
    if (collection === undefined) return [];
    const documents = new Map<number, IndexedDocument>();
    return this.#file
      .all<ChunkRow>(
        `${this.#chunkQuery(collection)} where editions.document_id = ? and chunks.position >= ?
         order by chunks.position, chunks.id limit ?`,
        documentId,
        from,
        Math.max(0, limit),
      )
      .map((row) => storedChunk(row, documents));
  }

  statistics(collectionId: string): { documents: number; chunks: number; dimensions: number | null } | null {
    const collection = this.#collections.get(collectionId);
    if (collection === undefined) return null;
    const [documents, chunks] = this.#file.get<[number, number]>(
      `select count(*), coalesce(sum(chunks), 0) from editions_${collection.number} where state = ?`,
      editionState.published,
    ) ?? [0, 0];
    return { documents, chunks, dimensions: collection.dimensions };
  }

  documents(collectionId: string): Map<string, number> {
    const collection = this.#collections.get(collectionId);
    if (collection === undefined) return new Map();
    return new Map(
      this.#file.all<[string, number]>(
        `select document_id, chunks from editions_${collection.number} where state = ?`,
        editionState.published,
      ),
    );
  }

  sweep(known: ReadonlyMap<string, KnownDocuments>): number {
    let count = 0;
    for (const collection of [...this.#collections.values()]) {
      const documents = known.get(collection.id);
      if (documents === undefined) {
        this.drop(collection.id);
        count += 1;
        continue;
      }
      for (const [number, documentId, state] of this.#file.all<[number, string, number]>(
        `select number, document_id, state from editions_${collection.number} where state <> ?`,
        editionState.removed,
      )) {
        const isUsed = state === editionState.published && documents.stored.has(documentId);
        if (!isUsed && !documents.claimed.has(documentId)) count += this.#remove(collection, 'number = ?', number);
      }
    }
    return count;
  }

  knownVectors(model: string, hashes: readonly string[]): (Float32Array | null)[] {
    return this.#embeddings.find(model, hashes);
  }

  async keepVectors(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void> {
    await this.#queue.run(this.#embeddings.keep(model, vectors));
    if (this.#embeddings.isOver) this.#queue.runInBackground(this.#embeddings.shrink());
  }

  /** Leaves unfinished work to the next start. */
  close(): void {
    this.#file.close();
  }

  #writer(collection: Collection): EditionWriter {
    return new EditionWriter(this.#file, collection);
  }

  /** @returns how many editions were removed */
  #remove(collection: Collection, condition: string, ...parameters: (string | number)[]): number {
    const editions = this.#file
      .all<[number]>(`select number from editions_${collection.number} where ${condition}`, ...parameters)
      .map(([number]) => number);
    this.#writer(collection).remove(editions);
    if (editions.length > 0) this.#queue.runInBackground(this.#purge(collection));
    return editions.length;
  }

  /** A collection that is about to be used; those that were used the longest ago leave the memory to it. */
  #used(collectionId: string): Collection | null {
    const collection = this.#collections.get(collectionId);
    if (collection === undefined) return null;
    // The last of the map is the one that was used last.
    this.#collections.delete(collectionId);
    this.#collections.set(collectionId, collection);
    let size = collection.table.size;
    for (const other of [...this.#collections.values()].reverse()) {
      if (other === collection || !other.isLoaded) continue;
      size += other.table.size;
      if (size > this.#options.memory) other.unload();
    }
    return collection;
  }

  #encodeIfMany(collection: Collection): void {
    if (collection.isEncoding || collection.isDropped) return;
    const { table, centre } = collection;
    if (table.withoutCode === 0 || (centre === null && table.vectorCount < this.#options.codesFrom)) return;
    collection.isEncoding = true;
    this.#queue.runInBackground(encode(this.#file, collection));
  }

  *#purge(collection: Collection): Pieces<void> {
    yield* purge(this.#file, collection);
    yield* giveBack(this.#file);
  }

  *#removal(number: number): Pieces<void> {
    yield* dropTables(this.#file, number);
    yield* giveBack(this.#file);
  }

  #chunkQuery({ number }: Collection): string {
    return `select chunks.id, chunks.position, chunks.text, chunks.heading_path, chunks.page, chunks.page_end,
        chunks.start, chunks."end", editions.number, editions.document
      from chunks_${number} as chunks join editions_${number} as editions
        on editions.number = chunks.edition and editions.state = ${editionState.published}`;
  }
}

type ChunkRow = readonly [
  id: number,
  position: number,
  text: string,
  headingPath: string,
  page: number | null,
  pageEnd: number | null,
  start: number,
  end: number,
  edition: number,
  document: string,
];

function storedChunk(row: ChunkRow, documents: Map<number, IndexedDocument>): StoredChunk {
  const [id, position, text, headingPath, page, pageEnd, start, end, edition, json] = row;
  let document = documents.get(edition);
  if (document === undefined) {
    document = JSON.parse(json) as IndexedDocument;
    documents.set(edition, document);
  }
  const path = JSON.parse(headingPath) as string[];
  return { id: String(id), position, text, heading_path: path, page, page_end: pageEnd, start, end, document };
}

function noCollection(): ParleyError {
  return new ParleyError('not_found', 'The collection does not exist');
}
