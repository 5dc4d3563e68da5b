import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChunkStore } from '../../src/core/knowledge/chunk-store.ts';
import { ChunkStoreUser, indexedDocument, known, newChunk, storeDocument, vector } from './chunk-store-fixture.ts';
import { chunkSearchContract } from './chunk-store-search-contract.ts';

export interface ChunkStoreContractOptions {
  /** Gives a store that is empty; its `close` leaves nothing behind. */
  open: () => Promise<ChunkStore>;
  /** Removes the vectors of texts, for which a store has no method. Collections are gone by then. */
  forgetVectors: () => Promise<void>;
  /** Whether the store can keep vectors. */
  vectors: boolean;
}

/** Registers tests that hold a store of chunks to its contract. One store is emptied after each: opening takes long. */
export function chunkStoreContract(name: string, { open, forgetVectors, vectors }: ChunkStoreContractOptions): void {
  describe(`${name} as a store of chunks`, () => {
    let store: ChunkStore;
    let isOpen = false;
    beforeEach(async () => {
      if (!isOpen) store = await open();
      isOpen = true;
    });
    afterEach(async () => {
      if (!isOpen) return;
      await store.sweep(known());
      await forgetVectors();
    });
    afterAll(async () => {
      if (isOpen) await store.close();
    });

    const { make, put, found } = new ChunkStoreUser(() => store);

    chunkSearchContract(() => store, { vectors });

    describe('collections', () => {
      test('are made once', async () => {
        await make();
        await put('a', ['the whale']);
        await make();
        await Promise.all([make('other'), make('other')]);
        expect(await found('whales')).toEqual(['the whale']);
        expect(await store.statistics('other')).toEqual({ documents: 0, chunks: 0, dimensions: null });
      });

      test('that do not exist hold nothing', async () => {
        expect(await store.statistics('none')).toBeNull();
        expect(await store.search('none', { text: 'whale', vector: vector(1, 0), limit: 5 })).toEqual({
          keyword: [],
          vector: [],
        });
        expect(await store.read('none', ['1'])).toEqual([]);
        expect(await store.list('none', 'a', { from: 0, limit: 5 })).toEqual([]);
        expect(await store.documents('none')).toEqual(new Map());
        await store.remove('none', 'a');
        await store.abandon('none', '1');
        await store.drop('none');
      });

      test('that do not exist take nothing', async () => {
        await expect(store.begin('none', indexedDocument('a'))).rejects.toMatchObject({ reason: 'not_found' });
        await expect(store.add('none', '1', [newChunk(0, 'x')])).rejects.toMatchObject({ reason: 'not_found' });
        await expect(store.publish('none', '1')).rejects.toMatchObject({ reason: 'not_found' });
      });

      test('know nothing of each other', async () => {
        await Promise.all([make('c'), make('d')]);
        await put('a', ['a whale here']);
        await put('a', ['a whale there'], {}, 'd');
        expect(await found('whale')).toEqual(['a whale here']);
        expect(await found('whale', {}, 'd')).toEqual(['a whale there']);
        await store.remove('d', 'a');
        expect(await found('whale')).toEqual(['a whale here']);
      });

      test('are gone at once, with what is under way in them', async () => {
        await make();
        await put('a', ['a whale']);
        const edition = await store.begin('c', indexedDocument('b'));
        const dropped = store.drop('c');
        expect(await found('whale')).toEqual([]);
        await dropped;
        expect(await store.statistics('c')).toBeNull();
        await expect(store.add('c', edition, [newChunk(0, 'x')])).rejects.toMatchObject({ reason: 'not_found' });
        await expect(store.publish('c', edition)).rejects.toMatchObject({ reason: 'not_found' });
      });

      test('can be made again and are empty then', async () => {
        await make();
        await put('a', ['a whale']);
        await store.drop('c');
        await make();
        expect(await found('whale')).toEqual([]);
        expect(await store.statistics('c')).toEqual({ documents: 0, chunks: 0, dimensions: null });
        await put('a', ['a shark']);
        expect(await found('shark')).toEqual(['a shark']);
      });

      test('have their own language', async () => {
        await store.create('german', { language: 'german' });
        await put('a', ['Die Häuser stehen leer'], {}, 'german');
        expect(await found('Haus', {}, 'german')).toEqual(['Die Häuser stehen leer']);
      });

      test('of any name are separate', async () => {
        const names = ['', ' ', "'; drop table collections; --", '_', '%', 'ä', 'A', 'a', '../x', '1'];
        for (const name of names) {
          await make(name);
          await put('a', [`whale in ${JSON.stringify(name)}`], {}, name);
        }
        for (const name of names) expect(await found('whale', {}, name)).toEqual([`whale in ${JSON.stringify(name)}`]);
      });
    });

    describe('editions', () => {
      beforeEach(() => make());

      test('are not found before they are published', async () => {
        const edition = await store.begin('c', indexedDocument('a'));
        await store.add('c', edition, [newChunk(0, 'a whale'), newChunk(1, 'a shark')]);
        expect(await found('whale')).toEqual([]);
        expect(await store.list('c', 'a', { from: 0, limit: 5 })).toEqual([]);
        expect(await store.statistics('c')).toMatchObject({ documents: 0, chunks: 0 });
        expect(await store.documents('c')).toEqual(new Map());
        await store.publish('c', edition);
        expect(await found('whale')).toEqual(['a whale']);
        expect(await store.statistics('c')).toMatchObject({ documents: 1, chunks: 2 });
        expect(await store.documents('c')).toEqual(new Map([['a', 2]]));
      });

      test('take the place of the one before, at once', async () => {
        await put('a', ['a whale', 'a second whale']);
        const old = await store.search('c', { text: 'whale', limit: 9 });
        const edition = await store.begin('c', indexedDocument('a'));
        await store.add('c', edition, [newChunk(0, 'a shark')]);
        expect((await found('whale shark')).toSorted()).toEqual(['a second whale', 'a whale']);
        await store.publish('c', edition);
        expect(await found('whale shark')).toEqual(['a shark']);
        expect(
          await store.read(
            'c',
            old.keyword.map(({ id }) => id),
          ),
        ).toEqual([]);
        expect(await store.statistics('c')).toMatchObject({ documents: 1, chunks: 1 });
      });

      test('are never half there while they change', async () => {
        await put('a', ['number one', 'number one']);
        let isDone = false;
        const changes = (async () => {
          for (let round = 0; round < 10; round++)
            await put('a', round % 2 === 0 ? ['number two'] : ['number one', 'number one']);
          isDone = true;
        })();
        const seen = new Set<string>();
        while (!isDone) seen.add((await found('number')).join());
        await changes;
        for (const texts of seen) expect(['number two', 'number one,number one', '']).toContain(texts);
        // An edition may be replaced between searching and reading, but it is never mixed with another.
        expect(await found('number')).toEqual(['number one', 'number one']);
      });

      test('of one document may be under way at once; the last one that is published stays', async () => {
        const [first, second] = await Promise.all([
          store.begin('c', indexedDocument('a')),
          store.begin('c', indexedDocument('a')),
        ]);
        expect(first).not.toBe(second);
        await store.add('c', first, [newChunk(0, 'first')]);
        await store.add('c', second, [newChunk(0, 'second')]);
        await store.publish('c', second);
        await store.publish('c', first);
        expect(await found('first second')).toEqual(['first']);
        expect(await store.statistics('c')).toMatchObject({ documents: 1, chunks: 1 });
      });

      test('may have no chunks', async () => {
        await put('a', ['a whale']);
        await put('a', []);
        expect(await found('whale')).toEqual([]);
        expect(await store.statistics('c')).toMatchObject({ documents: 1, chunks: 0 });
        expect(await store.documents('c')).toEqual(new Map([['a', 0]]));
      });

      test('that were abandoned are gone', async () => {
        const edition = await store.begin('c', indexedDocument('a'));
        await store.add('c', edition, [newChunk(0, 'a whale')]);
        await store.abandon('c', edition);
        await store.abandon('c', edition);
        await expect(store.add('c', edition, [newChunk(1, 'x')])).rejects.toMatchObject({ reason: 'not_found' });
        await expect(store.publish('c', edition)).rejects.toMatchObject({ reason: 'not_found' });
        expect(await found('whale')).toEqual([]);
      });

      test('that were published are not abandoned, and take no more', async () => {
        const edition = await store.begin('c', indexedDocument('a'));
        await store.add('c', edition, [newChunk(0, 'a whale')]);
        await store.publish('c', edition);
        await store.abandon('c', edition);
        await expect(store.add('c', edition, [newChunk(1, 'a whale')])).rejects.toMatchObject({ reason: 'not_found' });
        expect(await found('whale')).toEqual(['a whale']);
      });

      test.each(['', '0', '-1', '1.5', 'x', '99999999999999999999', "1' or '1'='1"])(
        'named %j do not exist',
        async (edition) => {
          await expect(store.add('c', edition, [newChunk(0, 'x')])).rejects.toMatchObject({ reason: 'not_found' });
          await expect(store.publish('c', edition)).rejects.toMatchObject({ reason: 'not_found' });
          await store.abandon('c', edition);
        },
      );
    });

    describe('documents', () => {
      beforeEach(() => make());

      test('that were removed are not found', async () => {
        await put('a', ['a whale']);
        await put('b', ['another whale']);
        const { keyword } = await store.search('c', { text: 'whale', limit: 9 });
        await store.remove('c', 'a');
        await store.remove('c', 'a');
        expect(await found('whale')).toEqual(['another whale']);
        expect(await store.list('c', 'a', { from: 0, limit: 9 })).toEqual([]);
        expect(
          await store.read(
            'c',
            keyword.map(({ id }) => id),
          ),
        ).toHaveLength(1);
        expect(await store.documents('c')).toEqual(new Map([['b', 1]]));
      });

      test('that were removed do not come back with what was under way', async () => {
        const edition = await store.begin('c', indexedDocument('a'));
        await store.add('c', edition, [newChunk(0, 'a whale')]);
        await store.remove('c', 'a');
        await expect(store.publish('c', edition)).rejects.toMatchObject({ reason: 'not_found' });
        expect(await found('whale')).toEqual([]);
      });

      test('can be stored again after they were removed, and their chunks have other ids', async () => {
        await put('a', ['a whale']);
        const before = await store.list('c', 'a', { from: 0, limit: 9 });
        await store.remove('c', 'a');
        await put('a', ['a whale']);
        const after = await store.list('c', 'a', { from: 0, limit: 9 });
        expect(after.map(({ text }) => text)).toEqual(['a whale']);
        expect(after[0]?.id).not.toBe(before[0]?.id);
      });

      test('are read as they were stored', async () => {
        const document = indexedDocument('a', {
          title: 'Über "alles"\n',
          metadata: { year: 2025, open: false, author: '李', '': 1.5, __proto: 'x' },
        });
        const chunks = [
          newChunk(0, 'first \u{1F600}\ttext\n', { heading_path: ['One', 'Two "2"'], page: 3, page_end: 4 }),
          newChunk(1, '', { start: 5, end: 5 }),
          newChunk(2, 'x'.repeat(100_000), { heading_path: [] }),
        ];
        await storeDocument(store, 'c', document, chunks);
        const stored = await store.list('c', 'a', { from: 0, limit: 9 });
        expect(stored).toEqual(
          chunks.map(({ vector: _, ...chunk }, index) => ({ ...chunk, id: stored[index]?.id, document })),
        );
        expect(new Set(stored.map(({ id }) => id)).size).toBe(3);
        expect(
          await store.read(
            'c',
            stored.map(({ id }) => id),
          ),
        ).toEqual(stored);
      });

      test('are listed in the order of their positions, from one on', async () => {
        const edition = await store.begin('c', indexedDocument('a'));
        await store.add('c', edition, [newChunk(2, 'c'), newChunk(0, 'a')]);
        await store.add('c', edition, [newChunk(3, 'd'), newChunk(1, 'b')]);
        await store.publish('c', edition);
        await put('b', ['other']);
        const texts = async (from: number, limit: number) =>
          (await store.list('c', 'a', { from, limit })).map(({ text }) => text).join('');
        expect(await texts(0, 9)).toBe('abcd');
        expect(await texts(1, 2)).toBe('bc');
        expect(await texts(4, 9)).toBe('');
        expect(await texts(0, 0)).toBe('');
      });

      test('with thousands of chunks are whole', async () => {
        await put(
          'a',
          Array.from({ length: 1500 }, (_, position) => `common word${position}`),
        );
        expect(await store.statistics('c')).toMatchObject({ documents: 1, chunks: 1500 });
        expect(await found('word1234')).toEqual(['common word1234']);
        expect(await found('common', { limit: 2000 })).toHaveLength(1500);
      });
    });

    describe('reading', () => {
      beforeEach(() => make());

      test('keeps the order of the ids and leaves out what is not there', async () => {
        await put('a', ['one', 'two', 'three']);
        const ids = (await store.list('c', 'a', { from: 0, limit: 9 })).map(({ id }) => id);
        const wanted = [ids[2], 'x', ids[0], '', '-5', '1e9', '999999999', ids[2]] as string[];
        expect((await store.read('c', wanted)).map(({ text }) => text)).toEqual(['three', 'one', 'three']);
        expect(await store.read('c', [])).toEqual([]);
      });

      test('shows nothing of an edition that is not published', async () => {
        await put('a', ['one']);
        const [first] = await store.list('c', 'a', { from: 0, limit: 1 });
        const edition = await store.begin('c', indexedDocument('b'));
        await store.add('c', edition, [newChunk(0, 'two')]);
        const next = [...Array(20)].map((_, index) => String(Number(first?.id) + index));
        expect((await store.read('c', next)).map(({ text }) => text)).toEqual(['one']);
      });
    });

    describe('vectors that were made before', () => {
      test('are known by model and text', async () => {
        expect(await store.knownVectors('m', ['a', 'b'])).toEqual([null, null]);
        await store.keepVectors('m', [
          { hash: 'a', vector: vector(3, 4) },
          { hash: 'b', vector: vector(0.1, -2, 5) },
        ]);
        await store.keepVectors('n', [{ hash: 'a', vector: vector(7) }]);
        expect(await store.knownVectors('m', ['b', 'x', 'a', 'b'])).toEqual([
          vector(0.1, -2, 5),
          null,
          vector(3, 4),
          vector(0.1, -2, 5),
        ]);
        expect(await store.knownVectors('n', ['a', 'b'])).toEqual([vector(7), null]);
        expect(await store.knownVectors('m', [])).toEqual([]);
      });

      test('may be stored again', async () => {
        const stored = { hash: 'a', vector: vector(1, 2) };
        await Promise.all([store.keepVectors('m', [stored, stored]), store.keepVectors('m', [stored])]);
        await store.keepVectors('m', [{ hash: 'a', vector: vector(2, 1) }]);
        await store.keepVectors('m', []);
        expect(await store.knownVectors('m', ['a'])).toEqual([vector(2, 1)]);
        expect(stored.vector).toEqual(vector(1, 2));
      });

      test('are a part of a larger buffer, perhaps', async () => {
        const buffer = Float32Array.from({ length: 1000 }, (_, index) => index);
        await store.keepVectors('m', [{ hash: 'a', vector: buffer.subarray(10, 12) }]);
        expect(await store.knownVectors('m', ['a'])).toEqual([vector(10, 11)]);
        expect(buffer).toHaveLength(1000);
      });

      test('outlive collections', async () => {
        await make();
        await store.keepVectors('m', [{ hash: 'a', vector: vector(1) }]);
        await store.drop('c');
        await store.sweep(known());
        expect(await store.knownVectors('m', ['a'])).toEqual([vector(1)]);
      });

      test('are as many as one batch holds, and more', async () => {
        const many = Array.from({ length: 700 }, (_, index) => ({ hash: `hash ${index}`, vector: vector(index) }));
        await store.keepVectors('m', many);
        const known = await store.knownVectors(
          'm',
          many.map(({ hash }) => hash),
        );
        expect(known).toEqual(many.map((one) => one.vector));
      });
    });

    describe('a sweep', () => {
      test('removes what belongs to nothing, and counts it', async () => {
        for (const name of ['current', 'gone', 'unknown']) await make(name);
        await put('a', ['a whale'], {}, 'current');
        await put('b', ['b whale'], {}, 'current');
        await put('a', ['a whale'], {}, 'gone');
        const unpublished = await store.begin('current', indexedDocument('a'));
        await store.add('current', unpublished, [newChunk(0, 'half a whale')]);
        // Two collections, one document and one edition.
        expect(await store.sweep(known({ current: ['a', 'never stored'] }))).toBe(4);
        expect(await found('whale', {}, 'current')).toEqual(['a whale']);
        await expect(store.publish('current', unpublished)).rejects.toMatchObject({ reason: 'not_found' });
        expect(await store.statistics('gone')).toBeNull();
        expect(await store.statistics('unknown')).toBeNull();
        expect(await store.sweep(known({ current: ['a'] }))).toBe(0);
      });

      test('leaves what a replica works on alone', async () => {
        await make();
        for (const id of ['stored', 'indexed', 'gone']) await put(id, [`${id} whale`]);
        const editions: string[] = [];
        for (const id of ['stored', 'indexed', 'begun', 'gone']) {
          const edition = await store.begin('c', indexedDocument(id));
          await store.add('c', edition, [newChunk(0, `${id} shark`)]);
          editions.push(edition);
        }
        // Of the document that is gone, what is published and what is not; of the one that is stored, the latter.
        expect(await store.sweep(known({ c: ['stored'] }, ['indexed', 'begun']))).toBe(3);
        expect((await found('whale')).toSorted()).toEqual(['indexed whale', 'stored whale']);
        expect(await store.statistics('c')).toMatchObject({ documents: 2, chunks: 2 });
        const [stored, indexed, begun, gone] = editions as [string, string, string, string];
        for (const edition of [indexed, begun]) await store.publish('c', edition);
        for (const edition of [stored, gone]) {
          await expect(store.publish('c', edition)).rejects.toMatchObject({ reason: 'not_found' });
        }
        expect((await found('shark')).toSorted()).toEqual(['begun shark', 'indexed shark']);
      });

      test('of nothing removes nothing', async () => {
        expect(await store.sweep(known())).toBe(0);
        expect(await store.sweep(known({ c: ['a'] }))).toBe(0);
      });
    });

    test('what is asked at once is answered each for itself', async () => {
      await make();
      await Promise.all(Array.from({ length: 20 }, (_, index) => put(`d${index}`, [`whale number${index}`])));
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => found(`number${index}`)));
      expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => [`whale number${index}`]));
      expect(await store.statistics('c')).toMatchObject({ documents: 20, chunks: 20 });
    });

    test('a store that is closed refuses, and is closed once', async () => {
      await make();
      isOpen = false;
      await store.close();
      await expect(store.statistics('c')).rejects.toThrow();
      await expect(store.begin('c', indexedDocument('a'))).rejects.toThrow();
      await store.close();
    });
  });
}
