import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyDatabase } from '../../../../test/postgres/test-database.ts';
import { looksClosely } from '../../../../test/shared/looks-closely.ts';
import { chunkStoreContract } from '../../../../test/stores/chunk-store-contract.ts';
import {
  ChunkStoreUser,
  indexedDocument,
  known,
  newChunk,
  storeDocument,
  vector,
} from '../../../../test/stores/chunk-store-fixture.ts';
import { chunkSearchContract } from '../../../../test/stores/chunk-store-search-contract.ts';
import { startPglite } from '../../../../test/stores/pglite-server.ts';
import type { ChunkStore } from '../../../core/knowledge/chunk-store.ts';
import type { Database } from '../../database.ts';
import { openPostgres } from '../../postgres-database.ts';
import { PostgresChunkStore, type PostgresChunkStoreOptions } from './postgres-chunk-store.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Place {
  url: string;
  remove(): Promise<void>;
}

const withoutVectors = async (): Promise<Place> => {
  const { url, drop } = await emptyDatabase();
  return { url, remove: drop };
};
const withVectors = async (): Promise<Place> => {
  const { url, stop } = await startPglite();
  return { url, remove: stop };
};

/** Runs the tests on a database, with a way to empty it and to open a store of it. */
function on(
  name: string,
  openPlace: () => Promise<Place>,
  define: (
    current: () => { database: Database; url: string },
    open: (options?: Partial<PostgresChunkStoreOptions>) => Promise<ChunkStore>,
  ) => void,
): void {
  describe(name, () => {
    let place: Place;
    let database: Database;
    beforeAll(async () => {
      place = await openPlace();
      database = await openPostgres(place.url);
    });
    afterAll(async () => {
      await database.destroy();
      await place.remove();
    });
    define(
      () => ({ database, url: place.url }),
      async (options = {}) => {
        await sql`drop schema if exists knowledge_chunks cascade`.execute(database);
        return PostgresChunkStore.open(database, { logger, ...options });
      },
    );
  });
}

async function forgetVectors({ database }: { database: Database }): Promise<void> {
  await sql`delete from knowledge_chunks.kept_vectors`.execute(database);
}

on('PostgreSQL without pgvector', withoutVectors, (current, open) => {
  chunkStoreContract('PostgreSQL', { open, forgetVectors: () => forgetVectors(current()), vectors: false });

  describe('a store', () => {
    let store: ChunkStore;
    beforeEach(async () => {
      store = await open();
      await store.create('c', { language: 'english' });
    });
    afterEach(() => store.close());

    const { put, found } = new ChunkStoreUser(() => store);

    async function count(table: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from ${sql.table(`knowledge_chunks.${table}`)}`.execute(current().database);
      return rows[0]?.count as number;
    }

    async function tables(): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class where relnamespace = 'knowledge_chunks'::regnamespace
          and relkind in ('r', 'S') and relname ~ '_[0-9]+$' order by 1`.execute(current().database);
      return rows.map(({ name }) => name);
    }

    test('tells operators what to do when vectors are unavailable', async () => {
      const edition = await store.begin('c', indexedDocument('a'));
      await expect(store.add('c', edition, [newChunk(0, 'x', { vector: vector(1) })])).rejects.toThrow(
        /install pgvector.*create extension vector.*not available/,
      );
    });

    test('deletes replaced, removed and abandoned editions in batches', async () => {
      const texts = Array.from({ length: 2500 }, (_, index) => `whale number${index}`);
      await put('a', texts);
      await put('a', ['a whale']);
      await put('b', texts.slice(0, 300));
      await store.remove('c', 'b');
      const edition = await store.begin('c', indexedDocument('d'));
      await store.add('c', edition, [newChunk(0, 'a whale')]);
      await store.abandon('c', edition);
      await vi.waitUntil(async () => (await count('editions')) === 1, { timeout: 30_000 });
      expect([await count('chunks_1'), await count('postings_1')]).toEqual([1, 1]);
      expect(await found('whale')).toEqual(['a whale']);
    });

    test('leaves no table of a collection that was dropped', async () => {
      await put('a', ['a whale']);
      expect(await tables()).toEqual(['chunks_1', 'ids_1', 'postings_1']);
      await store.drop('c');
      expect([await tables(), await count('editions'), await count('collections')]).toEqual([[], 0, 0]);
    });

    test('drops a collection that is being read, without the wait of other readers', async () => {
      await put('a', ['a whale']);
      const { database } = current();
      const read = (within: Database) => sql`select text from knowledge_chunks.chunks_1`.execute(within);
      await database.transaction().execute(async (transaction) => {
        await read(transaction);
        await store.drop('c');
        expect((await read(database)).rows).toHaveLength(1);
        expect(await store.statistics('c')).toBeNull();
      });
      await store.close();
      store = await PostgresChunkStore.open(database, { logger });
      await vi.waitUntil(async () => (await tables()).length === 0, { timeout: 30_000 });
    });

    test('opens while others write', async () => {
      const { database } = current();
      await database.transaction().execute(async (transaction) => {
        await sql`update knowledge_chunks.collections set documents = documents`.execute(transaction);
        await sql`lock table knowledge_chunks.editions in row exclusive mode`.execute(transaction);
        await (await PostgresChunkStore.open(database, { logger })).close();
      });
    });

    test('continues the interrupted work of another process', async () => {
      const texts = Array.from({ length: 500 }, (_, index) => `whale number${index}`);
      await put('current', ['a whale']);
      await put('a', texts);
      const edition = await store.begin('c', indexedDocument('b'));
      await store.add('c', edition, [newChunk(0, 'half a whale')]);
      await store.create('dropped', { language: 'english' });
      await store.close();
      // State after a killed process: a hidden document and a collection without a base.
      const { database } = current();
      await sql`update knowledge_chunks.editions set state = 'retired' where document_id = 'a'`.execute(database);
      await sql`update knowledge_chunks.collections set collection_id = null where collection_id = 'dropped'`.execute(
        database,
      );
      store = await PostgresChunkStore.open(database, { logger });
      expect(await found('whale')).toEqual(['a whale']);
      expect(await store.sweep(known({ c: ['current'] }))).toBe(1);
      await vi.waitUntil(async () => (await count('chunks_1')) === 1, { timeout: 30_000 });
      await vi.waitUntil(async () => !(await tables()).includes('chunks_2'), { timeout: 30_000 });
    });

    test('shows editions of another process at once, and only complete ones', async () => {
      const second = await openPostgres(current().url);
      const other = await PostgresChunkStore.open(second, { logger });
      const ask = new ChunkStoreUser(() => other);
      let isDone = false;
      const changes = (async () => {
        for (let round = 0; round < 15; round++) {
          const texts = round % 2 === 0 ? ['number two'] : ['number one', 'number one', 'number one'];
          await put('a', texts);
          expect(await ask.found('number')).toEqual(texts);
        }
        isDone = true;
      })();
      const seen = new Set<string>();
      while (!isDone) {
        const { keyword } = await other.search('c', { text: 'number', limit: 9 });
        seen.add(String(keyword.length));
      }
      await changes;
      expect([...seen].filter((length) => !['0', '1', '3'].includes(length))).toEqual([]);
      await other.close();
      await second.destroy();
    });

    test('stores documents of one collection side by side, and drops it in the middle', async () => {
      const work = Array.from({ length: 12 }, async (_, index) => {
        const texts = Array.from({ length: 50 }, (__, number) => `whale ${index} number${number}`);
        await put(`d${index}`, texts);
        await found('whale', { filters: [{ field: 'page', operator: '$ne', value: 3 }] });
      });
      const ended = Promise.allSettled(work);
      await vi.waitUntil(async () => ((await store.statistics('c'))?.documents ?? 0) > 2, { timeout: 30_000 });
      await store.drop('c');
      for (const result of await ended) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'not_found' });
      }
      await vi.waitUntil(async () => (await tables()).length === 0, { timeout: 30_000 });
    });

    test.each([
      ['count', { count: 1000, bytes: 1e9 }],
      ['bytes', { count: 1e9, bytes: 8000 }],
    ])('caches embeddings up to a %s, the newest and the recently used', async (_, embeddingCache) => {
      await store.close();
      store = await open({ embeddingCache });
      const known = async (hash: string) => (await store.knownVectors('m', [hash]))[0] ?? null;
      for (let from = 0; from < 3000; from += 300) {
        const vectors = Array.from({ length: 300 }, (__, index) => ({
          hash: `h${from + index}`,
          vector: vector(from, 1),
        }));
        await store.keepVectors('m', vectors);
        expect(await known('h7')).toEqual(vector(0, 1));
      }
      expect(await count('kept_vectors')).toBeLessThanOrEqual(1000);
      expect(await count('kept_vectors')).toBeGreaterThan(900);
      expect([await known('h8'), await known('h1900')]).toEqual([null, null]);
      expect([await known('h2999'), await known('h2200')]).toEqual([vector(2700, 1), vector(2100, 1)]);
    });
  });
});

on('PGlite with pgvector', withVectors, (current, open) => {
  chunkStoreContract('PGlite', { open, forgetVectors: () => forgetVectors(current()), vectors: true });

  describe('by the index even where there is little', () => {
    let store: ChunkStore;
    beforeEach(async () => {
      store = await open({ quicklyCompared: 0 });
    });
    afterEach(() => store.close());

    if (looksClosely) chunkSearchContract(() => store, { vectors: true });

    // Vectors of so many dimensions have an index of another kind, which takes long to make: `npm run test:long` does.
    const dimensionsTried = looksClosely ? [8, 2001] : [8];
    test.each(dimensionsTried)('finds nearly all that comparing finds, of %d dimensions', async (dimensions) => {
      await store.create('c', { language: 'none' });
      const count = dimensions === 8 ? 1500 : 100;
      // The same at each run, and different from one another.
      const point = (seed: number) =>
        Float32Array.from({ length: dimensions }, (_, at) => (Math.sin(seed * 12.9898 + at * 78.233) * 43758.5453) % 1);
      for (const [id, from] of [
        ['a', 0],
        ['b', count / 2],
      ] as const) {
        const chunks = Array.from({ length: count / 2 }, (_, index) =>
          newChunk(index, '', { page: index % 10, vector: point(from + index) }),
        );
        await storeDocument(store, 'c', indexedDocument(id), chunks);
      }
      // An edition that is not published, of vectors that are closer than all others.
      const edition = await store.begin('c', indexedDocument('hidden'));
      for (let query = 0; query < 5; query++) {
        await store.add('c', edition, [newChunk(query, '', { vector: point(count + query) })]);
      }
      const { database } = current();
      const scans = async () => {
        await sql`select pg_stat_force_next_flush()`.execute(database);
        const { rows } = await sql<{ scans: number }>`
          select sum(idx_scan)::integer as scans from pg_stat_user_indexes
          where relname = 'vectors_1' and indexrelname !~ 'pkey|edition'`.execute(database);
        return rows[0]?.scans ?? 0;
      };
      const before = await scans();
      for (const filters of [
        [],
        [{ field: 'document_id', operator: '$eq', value: 'b' } as const],
        [{ field: 'page', operator: '$in', value: [3, 4, 5] } as const],
      ]) {
        let agreeing = 0;
        for (let query = 0; query < 5; query++) {
          const search = { vector: point(count + query), limit: 10, filters };
          const exact = (await store.search('c', { ...search, exact: true })).vector;
          const quick = (await store.search('c', search)).vector;
          expect([exact.length, quick.length]).toEqual([10, 10]);
          const ids = new Set(exact.map(({ id }) => id));
          agreeing += quick.filter(({ id }) => ids.has(id)).length;
          for (const { id, score } of quick) {
            const same = exact.find((hit) => hit.id === id);
            if (same !== undefined) expect(score).toBeCloseTo(same.score, 5);
          }
        }
        expect(agreeing).toBeGreaterThanOrEqual(45);
      }
      expect((await scans()) - before).toBe(15);
    });
  });

  test('finds the extension wherever it was installed', async () => {
    const { database } = current();
    await sql`drop extension if exists vector cascade`.execute(database);
    await sql`create schema "other Place"`.execute(database);
    await sql`create extension vector schema "other Place"`.execute(database);
    const store = await open({ quicklyCompared: 0 });
    await store.create('c', { language: 'english' });
    await storeDocument(store, 'c', indexedDocument('a'), [newChunk(0, 'east', { vector: vector(1, 0) })]);
    const { nearest } = new ChunkStoreUser(() => store);
    expect(await nearest(vector(1, 1))).toEqual(['east']);
    expect(await nearest(vector(1, 1), { exact: true })).toEqual(['east']);
    await store.close();
  });
});
