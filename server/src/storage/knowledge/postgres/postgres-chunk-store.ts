import { type IndexedDocument, type Logger, ParleyError } from '@parley/sdk';
import type { ChunkHit, ChunkSearch, NewChunk, StemmingLanguage, StoredChunk } from '@parley/sdk/internal';
import { type Expression, type NotNull, type SqlBool, sql, type Transaction } from 'kysely';
import type { ChunkStore, KnownDocuments } from '../../../core/knowledge/chunk-store.ts';
import { ConcurrencyLimit } from '../../../lib/concurrency-limit.ts';
import type { WorkerLoop } from '../../../lib/worker-loop.ts';
import type { Database, Tables } from '../../database.ts';
import { PostgresKysely } from '../../postgres-database.ts';
import type { DocumentClaims } from '../document-claims.ts';
import { compileFilters } from '../filters.ts';
import { applyFilters, pagesNumber } from './chunk-filter.ts';
import { createChunkPurge } from './chunk-purge.ts';
import { countChunks, editionNumber, insertChunks, listChunks, noEdition, readChunks, sumsOf } from './chunk-rows.ts';
import {
  type ChunkDatabase,
  type ChunkTransaction,
  chunkDatabase,
  makeCollectionTables,
  makeSharedTables,
  removeCollectionTables,
} from './chunk-tables.ts';
import { beginEdition, type CollectionRow, count, findCollection } from './collections.ts';
import { isDeadlock, isLockTimeout, isMissingTable } from './database-faults.ts';
import { EmbeddingCache, type EmbeddingCacheLimit } from './embedding-cache.ts';
import { searchByKeywords } from './keyword-search.ts';
import { PgVector } from './pgvector.ts';
import { insertVectors, makeVectorTable, normalized, searchByVector } from './vectors.ts';

export interface PostgresChunkStoreOptions {
  logger: Logger;
  embeddingCache?: EmbeddingCacheLimit;
  /** Postings that a question reads at most, see `searchByKeywords`. */
  postingBudget?: number;
  /** Up to how many vectors are compared one by one, see `searchByVector`. */
  quicklyCompared?: number;
  /** Publishes only documents that this replica works on. Default: any. */
  claims?: Pick<DocumentClaims, 'hold'>;
}

const defaultCachedEmbeddings: EmbeddingCacheLimit = { count: 200_000, bytes: 1024 ** 3 };
/** How much of the pool is used at the same time; the rest is for whatever else the service does. */
const share = 0.6;

/**
 * Stores chunks in the service's PostgreSQL database, in a separate schema with separate tables for each collection.
 * An inverted index with exact term frequencies ranks by keywords; pgvector finds similar vectors.
 */
export class PostgresChunkStore implements ChunkStore {
  readonly #database: ChunkDatabase;
  readonly #pgvector: PgVector;
  readonly #embeddings: EmbeddingCache;
  readonly #purge: WorkerLoop;
  readonly #options: PostgresChunkStoreOptions;
  readonly #bounds: { budget: number | undefined; quicklyCompared: number | undefined };
  readonly #turns: ConcurrencyLimit;
  /** Collections that are being dropped, by their ids. */
  readonly #dropping = new Map<string, Promise<void>>();
  #isClosed = false;

  private constructor(database: ChunkDatabase, connections: number, options: PostgresChunkStoreOptions) {
    this.#database = database;
    this.#turns = new ConcurrencyLimit(connections);
    this.#options = options;
    this.#pgvector = new PgVector(database);
    this.#embeddings = new EmbeddingCache(database, options.embeddingCache ?? defaultCachedEmbeddings);
    this.#bounds = { budget: options.postingBudget, quicklyCompared: options.quicklyCompared };
    this.#purge = createChunkPurge(database, (error) =>
      options.logger.warn({ err: error }, 'failed to delete removed chunks, will retry'),
    );
  }

  /** Creates missing tables of the store. */
  static async open(database: Database, options: PostgresChunkStoreOptions): Promise<PostgresChunkStore> {
    const poolSize = database instanceof PostgresKysely ? database.poolSize : 1;
    const store = new PostgresChunkStore(chunkDatabase(database), Math.ceil(share * poolSize), options);
    await makeSharedTables(store.#database);
    store.#purge.start();
    return store;
  }

  async create(collectionId: string, { language }: { language: StemmingLanguage }): Promise<void> {
    await this.#dropping.get(collectionId);
    await this.#change(async (transaction) => {
      const made = await transaction
        .insertInto('collections')
        .values({ collection_id: collectionId, language })
        .onConflict((conflict) => conflict.column('collection_id').doNothing())
        .returning('number')
        .executeTakeFirst();
      if (made !== undefined) await makeCollectionTables(transaction, made.number);
    });
  }

  async drop(collectionId: string): Promise<void> {
    const dropped = this.#dropping.get(collectionId) ?? this.#drop(collectionId);
    this.#dropping.set(collectionId, dropped);
    try {
      await dropped;
    } finally {
      this.#dropping.delete(collectionId);
    }
  }

  async #drop(collectionId: string): Promise<void> {
    const collection = await this.#use(() =>
      this.#database
        .updateTable('collections')
        .set({ collection_id: null })
        .where('collection_id', '=', collectionId)
        .returning('number')
        .executeTakeFirst(),
    );
    if (collection === undefined) return;
    try {
      await this.#use(() => removeCollectionTables(this.#database, collection.number));
    } catch (error) {
      // A concurrent search holds a table, or the tables are being removed already.
      if (!isDeadlock(error) && !isLockTimeout(error)) throw error;
      this.#purge.wake();
    }
  }

  async begin(collectionId: string, document: IndexedDocument): Promise<string> {
    const edition = this.#dropping.has(collectionId)
      ? null
      : await this.#use(() => beginEdition(this.#database, collectionId, document));
    if (edition === null) throw new ParleyError('not_found', 'The collection does not exist');
    return String(edition);
  }

  async add(collectionId: string, edition: string, chunks: readonly NewChunk[]): Promise<void> {
    const number = editionNumber(edition);
    const collection = await this.#find(collectionId);
    if (collection === null) throw noEdition();
    const dimensions = collection.dimensions ?? chunks.find(({ vector }) => vector !== null)?.vector?.length ?? 0;
    const vectors = chunks.map(({ vector }) => (vector === null ? null : normalized(vector, dimensions)));
    const names = vectors.some((vector) => vector !== null) ? await this.#use(() => this.#pgvector.names()) : null;
    const title = await this.#titleOf(collection, number);
    const counted = await countChunks(chunks, title, collection.language);
    await this.#change(async (transaction) => {
      // In the order in which everybody takes them: the collection, then the edition.
      const isFirst = names !== null && collection.dimensions === null;
      const current = isFirst ? await this.#find(collectionId, { transaction, lock: true }) : collection;
      if (current === null || current.number !== collection.number) throw noEdition();
      await this.#lockOpen(transaction, current, number);
      if (names !== null && current.dimensions === null) {
        await makeVectorTable(transaction, names, { number: current.number, dimensions });
        await transaction.updateTable('collections').set({ dimensions }).where('number', '=', current.number).execute();
      } else if (names !== null && current.dimensions !== dimensions) {
        throw new ParleyError(
          'vector_dimensions',
          `The vectors have ${dimensions} dimensions, those that are stored have ${current.dimensions}`,
        );
      }
      if (chunks.length === 0) return;
      const place = { collection: current.number, edition: number };
      const ids = await insertChunks(transaction, place, chunks, counted);
      if (names !== null) {
        const rows = ids.flatMap((chunk, index) => {
          const vector = vectors[index] ?? null;
          const { page, page_end } = chunks[index] as NewChunk;
          return vector === null ? [] : [{ chunk, pages: pagesNumber(page, page_end), vector }];
        });
        await insertVectors(transaction, names, { number: current.number, dimensions }, { edition: number, rows });
      }
      const sums = sumsOf(counted);
      await transaction
        .updateTable('editions')
        .set((build) => ({
          chunks: build('chunks', '+', sums.chunks),
          title_terms: build('title_terms', '+', sums.title_terms),
          heading_terms: build('heading_terms', '+', sums.heading_terms),
          body_terms: build('body_terms', '+', sums.body_terms),
        }))
        .where('number', '=', number)
        .execute();
    });
  }

  async publish(collectionId: string, edition: string): Promise<void> {
    const number = editionNumber(edition);
    await this.#change(async (transaction) => {
      const collection = await this.#find(collectionId, { transaction, lock: true });
      if (collection === null) throw noEdition();
      const { document_id, ...sums } = await this.#lockOpen(transaction, collection, number);
      if (!(await this.#isClaimed(transaction, collectionId, document_id))) throw noEdition();
      const replaced = await transaction
        .updateTable('editions')
        .set({ state: 'retired' })
        .where('collection', '=', collection.number)
        .where('document_id', '=', document_id)
        .where('state', '=', 'published')
        .returning(['chunks', 'title_terms', 'heading_terms', 'body_terms'])
        .execute();
      await transaction.updateTable('editions').set({ state: 'published' }).where('number', '=', number).execute();
      await count(transaction, collection.number, [sums], replaced);
    });
    this.#purge.wake();
  }

  async abandon(collectionId: string, edition: string): Promise<void> {
    if (!/^[1-9]\d{0,14}$/.test(edition)) return;
    const collection = await this.#find(collectionId);
    if (collection === null) return;
    await this.#use(() =>
      this.#database
        .updateTable('editions')
        .set({ state: 'retired' })
        .where('number', '=', Number(edition))
        .where('collection', '=', collection.number)
        .where('state', '=', 'open')
        .execute(),
    );
    this.#purge.wake();
  }

  async remove(collectionId: string, documentId: string): Promise<void> {
    await this.#change((transaction) => this.#retire(transaction, collectionId, sql`document_id = ${documentId}`));
    this.#purge.wake();
  }

  async search(collectionId: string, search: ChunkSearch): Promise<{ keyword: ChunkHit[]; vector: ChunkHit[] }> {
    const { text, limit, filters = [], exact = false } = search;
    const compiled = compileFilters(filters);
    const nothing = { keyword: [], vector: [] };
    // Not within the view, since it may have to add the extension.
    const dimensions = search.vector === undefined ? null : ((await this.#find(collectionId))?.dimensions ?? null);
    const vector = search.vector === undefined || dimensions === null ? null : normalized(search.vector, dimensions);
    const names = vector === null ? null : await this.#use(() => this.#pgvector.names());
    return this.#unlessDropped(collectionId, nothing, () =>
      this.#view(async (transaction) => {
        const collection = await this.#find(collectionId, { transaction });
        if (collection === null) return nothing;
        const allowed = await applyFilters(transaction, collection, filters, compiled);
        if (!(limit >= 1)) return nothing;
        const { budget, quicklyCompared } = this.#bounds;
        const most = Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER);
        return {
          keyword:
            text === undefined
              ? []
              : await searchByKeywords(transaction, collection, { text, limit: most, allowed, budget }),
          vector:
            vector === null || names === null || collection.dimensions !== vector.length
              ? []
              : await searchByVector(
                  transaction,
                  names,
                  { number: collection.number, dimensions: vector.length },
                  { vector, limit: most, allowed, exact, chunks: collection.chunks, quicklyCompared },
                ),
        };
      }),
    );
  }

  async read(collectionId: string, ids: readonly string[]): Promise<StoredChunk[]> {
    const collection = await this.#find(collectionId);
    if (collection === null) return [];
    return this.#unlessDropped(collectionId, [], () =>
      this.#use(() => readChunks(this.#database, collection.number, ids)),
    );
  }

  async list(collectionId: string, documentId: string, page: { from: number; limit: number }): Promise<StoredChunk[]> {
    const collection = await this.#find(collectionId);
    if (collection === null) return [];
    return this.#unlessDropped(collectionId, [], () =>
      this.#use(() => listChunks(this.#database, collection.number, documentId, page)),
    );
  }

  async statistics(
    collectionId: string,
  ): Promise<{ documents: number; chunks: number; dimensions: number | null } | null> {
    const collection = await this.#find(collectionId);
    if (collection === null) return null;
    const { documents, chunks, dimensions } = collection;
    return { documents, chunks, dimensions };
  }

  async documents(collectionId: string): Promise<Map<string, number>> {
    const collection = await this.#find(collectionId);
    if (collection === null) return new Map();
    const rows = await this.#use(() => this.#published(collection));
    return new Map(rows.map(({ document_id, chunks }) => [document_id, chunks]));
  }

  knownVectors(model: string, hashes: readonly string[]): Promise<(Float32Array | null)[]> {
    return this.#use(() => this.#embeddings.find(model, hashes));
  }

  keepVectors(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void> {
    return this.#use(() => this.#embeddings.keep(model, vectors));
  }

  async sweep(read: () => Promise<ReadonlyMap<string, KnownDocuments>>): Promise<number> {
    const collections = await this.#use(() =>
      this.#database
        .selectFrom('collections')
        .select(['number', 'collection_id'])
        .where('collection_id', 'is not', null)
        .$narrowType<{ collection_id: NotNull }>()
        .execute(),
    );
    const editions = await this.#use(() =>
      this.#database
        .selectFrom('editions')
        .select(['number', 'collection', 'document_id', 'state'])
        .where('state', '!=', 'retired')
        .execute(),
    );
    const known = await read();
    let removed = 0;
    for (const { number, collection_id } of collections) {
      const documents = known.get(collection_id);
      if (documents === undefined) {
        await this.drop(collection_id);
        removed += 1;
        continue;
      }
      const unknown = editions.filter(
        ({ collection, document_id, state }) =>
          collection === number &&
          !documents.claimed.has(document_id) &&
          !(state === 'published' && documents.stored.has(document_id)),
      );
      // By their numbers: a document may have been published again since.
      for (let start = 0; start < unknown.length; start += 1000) {
        const numbers = unknown.slice(start, start + 1000).map((edition) => edition.number);
        removed += await this.#change((transaction) =>
          this.#retire(transaction, collection_id, sql`number in (${sql.join(numbers)})`),
        );
      }
    }
    this.#purge.wake();
    return removed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#purge.stop();
  }

  /** Hides editions of a collection, also unfinished ones. @returns how many */
  async #retire(transaction: ChunkTransaction, collectionId: string, which: Expression<SqlBool>): Promise<number> {
    const collection = await this.#find(collectionId, { transaction, lock: true });
    if (collection === null) return 0;
    const editions = transaction
      .updateTable('editions')
      .set({ state: 'retired' })
      .where(which)
      .where('collection', '=', collection.number)
      .returning(['chunks', 'title_terms', 'heading_terms', 'body_terms']);
    const published = await editions.where('state', '=', 'published').execute();
    const open = await editions.where('state', '=', 'open').execute();
    await count(transaction, collection.number, [], published);
    return published.length + open.length;
  }

  /** @throws ParleyError `not_found` when it is not there, or no longer open */
  async #lockOpen(transaction: ChunkTransaction, { number: collection }: CollectionRow, edition: number) {
    const row = await transaction
      .selectFrom('editions')
      .select(['document_id', 'chunks', 'title_terms', 'heading_terms', 'body_terms'])
      .where('number', '=', edition)
      .where('collection', '=', collection)
      .where('state', '=', 'open')
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw noEdition();
    return row;
  }

  /** Whether this replica works on a document. It stays so until the end of the transaction. */
  async #isClaimed(transaction: ChunkTransaction, collectionId: string, documentId: string): Promise<boolean> {
    const { claims } = this.#options;
    // Without the schema of the store, its names are those of all other tables.
    const whole = transaction.withoutPlugins() as unknown as Transaction<Tables>;
    return claims === undefined || claims.hold(whole, collectionId, documentId);
  }

  /** @throws ParleyError `not_found` */
  async #titleOf({ number: collection }: CollectionRow, edition: number): Promise<string | null> {
    const row = await this.#use(() =>
      this.#database
        .selectFrom('editions')
        .select(({ ref }) =>
          ref('document', '->>')
            .key('title' as never)
            .$castTo<string | null>()
            .as('title'),
        )
        .where('number', '=', edition)
        .where('collection', '=', collection)
        .executeTakeFirst(),
    );
    if (row === undefined) throw noEdition();
    return row.title;
  }

  #published({ number }: CollectionRow) {
    return this.#database
      .selectFrom('editions')
      .select(['document_id', 'chunks'])
      .where('collection', '=', number)
      .where('state', '=', 'published')
      .execute();
  }

  /** @param lock keeps others from changing it until the end of the transaction */
  async #find(
    collectionId: string,
    within?: { transaction: ChunkTransaction; lock?: boolean },
  ): Promise<CollectionRow | null> {
    if (this.#dropping.has(collectionId)) return null;
    if (within !== undefined) return findCollection(within.transaction, collectionId, { lock: within.lock });
    return this.#use(() => findCollection(this.#database, collectionId));
  }

  /** @returns the result of `read`, or `nothing` when the tables have been dropped */
  async #unlessDropped<Value>(collectionId: string, nothing: Value, read: () => Promise<Value>): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      if (!isMissingTable(error) && !isDeadlock(error)) throw error;
      if ((await this.#find(collectionId)) === null) return nothing;
      throw error;
    }
  }

  #change<Value>(work: (transaction: ChunkTransaction) => Promise<Value>): Promise<Value> {
    return this.#use(() => this.#database.transaction().execute(work));
  }

  /** Reads in one view of the database, in which nothing is half published. */
  #view<Value>(work: (transaction: ChunkTransaction) => Promise<Value>): Promise<Value> {
    return this.#use(() =>
      this.#database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    );
  }

  #use<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#turns.run(() => {
      if (this.#isClosed) throw new Error('The chunk store is closed');
      return work();
    });
  }
}
