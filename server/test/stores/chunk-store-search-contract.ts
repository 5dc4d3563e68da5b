import type { IndexedDocument } from '@parley/sdk';
import type { ChunkSearch } from '@parley/sdk/internal';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ChunkStore } from '../../src/core/knowledge/chunk-store.ts';
import { ChunkStoreUser, indexedDocument, newChunk, storeDocument, vector } from './chunk-store-fixture.ts';

/** Registers the tests of the contract on searching. The store is empty before each. */
export function chunkSearchContract(current: () => ChunkStore, { vectors }: { vectors: boolean }): void {
  const { make, put, found, nearest } = new ChunkStoreUser(current);
  let store: ChunkStore;
  beforeEach(() => {
    store = current();
  });

  describe('searching by words', () => {
    beforeEach(() => make());

    test('puts what is rare and what is said often first', async () => {
      await put('a', ['the animal sleeps', 'the animal and the whale', 'whale whale animal', 'nothing of it']);
      expect(await found('animal whale')).toEqual([
        'whale whale animal',
        'the animal and the whale',
        'the animal sleeps',
      ]);
      const { keyword, vector: none } = await store.search('c', { text: 'animal whale', limit: 9 });
      expect(none).toEqual([]);
      const scores = keyword.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      expect(scores.every((score) => Number.isFinite(score) && score > 0)).toBe(true);
    });

    test('finds words of titles and headings, too', async () => {
      await storeDocument(store, 'c', indexedDocument('a', { title: 'Whales' }), [
        newChunk(0, 'They live in the sea.'),
      ]);
      await storeDocument(store, 'c', indexedDocument('b'), [
        newChunk(0, 'They have gills.', { heading_path: ['Fish', 'Sharks'] }),
      ]);
      expect(await found('whale')).toEqual(['They live in the sea.']);
      expect(await found('shark')).toEqual(['They have gills.']);
    });

    test('finds what is written without spaces', async () => {
      await put('a', ['我们的订单号是什么？', '東京に住んでいます', 'ภาษาไทยง่าย', '完全不同的内容']);
      expect(await found('订单')).toEqual(['我们的订单号是什么？']);
      expect(await found('東京')).toEqual(['東京に住んでいます']);
      expect(await found('ไทย')).toEqual(['ภาษาไทยง่าย']);
    });

    test.each([
      '"',
      "'",
      '*',
      'whale AND',
      'NEAR(whale)',
      'title:whale',
      'whale*',
      '-whale',
      '^whale',
      '(',
      '\0',
      '\u{1F600}',
      '\ud800',
      '%',
      '\\',
    ])('takes %j as words', async (text) => {
      await put('a', ['a whale']);
      const texts = await found(text);
      expect(texts).toEqual(text.includes('whale') ? ['a whale'] : []);
    });

    test('finds nothing without words, and nothing without a limit', async () => {
      await put('a', ['a whale']);
      expect(await found('')).toEqual([]);
      expect(await found(' \n')).toEqual([]);
      expect(await store.search('c', { text: 'whale', limit: 0 })).toEqual({ keyword: [], vector: [] });
      expect(await store.search('c', { limit: 5 })).toEqual({ keyword: [], vector: [] });
    });

    test('finds no more than asked for, the best', async () => {
      await put(
        'a',
        Array.from({ length: 30 }, (_, index) => `whale ${'filling '.repeat(30 - index)}`),
      );
      expect(await found('whale', { limit: 3 })).toEqual(
        [29, 28, 27].map((index) => `whale ${'filling '.repeat(30 - index)}`),
      );
    });

    test('bears a question as long as a book', async () => {
      await put('a', ['a whale', 'a shark']);
      const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ');
      // The last of too many words may be ignored.
      expect(await found(`whale ${words}`)).toEqual(['a whale']);
    });
  });

  describe('filters', () => {
    beforeEach(async () => {
      await make();
      const chunks = (name: string) => [
        newChunk(0, `whale ${name} first`, { page: 1, page_end: 1 }),
        newChunk(1, `whale ${name} second`, { page: 2, page_end: 3 }),
      ];
      const named = (id: string, more: Partial<IndexedDocument>) => indexedDocument(id, more);
      await storeDocument(store, 'c', named('a', { metadata: { year: 2024, kind: 'x' } }), chunks('a'));
      await storeDocument(
        store,
        'c',
        named('b', { extension: 'pdf', created_at: '2026-05-01T00:00:00.000Z', metadata: { year: 2025 } }),
        chunks('b'),
      );
    });

    test.each<[string, ChunkSearch['filters'], string[]]>([
      ['none', [], ['a first', 'a second', 'b first', 'b second']],
      ['a document', [{ field: 'document_id', operator: '$eq', value: 'a' }], ['a first', 'a second']],
      ['a file', [{ field: 'file_id', operator: '$in', value: ['file-b'] }], ['b first', 'b second']],
      ['an extension', [{ field: 'extension', operator: '$ne', value: 'pdf' }], ['a first', 'a second']],
      ['a timestamp', [{ field: 'created_at', operator: '$gte', value: '2026-04-01' }], ['b first', 'b second']],
      ['a page', [{ field: 'page', operator: '$eq', value: 3 }], ['a second', 'b second']],
      ['metadata', [{ field: 'year', operator: '$gt', value: 2024 }], ['b first', 'b second']],
      ['metadata that one lacks', [{ field: 'kind', operator: '$ne', value: 'x' }], ['b first', 'b second']],
      [
        'several',
        [
          { field: 'year', operator: '$lte', value: 2024 },
          { field: 'page', operator: '$lt', value: 2 },
        ],
        ['a first'],
      ],
      ['nothing that holds', [{ field: 'year', operator: '$in', value: [] }], []],
    ])('on %s narrow what is found', async (_, filters = [], expected) => {
      expect((await found('whale', { filters })).toSorted()).toEqual(expected.map((text) => `whale ${text}`));
    });

    test('narrow before the best are taken', async () => {
      await put(
        'c',
        Array.from({ length: 60 }, () => 'whale whale whale'),
      );
      const filters = [{ field: 'document_id', operator: '$eq', value: 'a' } as const];
      expect((await found('whale', { filters, limit: 2 })).toSorted()).toEqual(['whale a first', 'whale a second']);
    });

    test('on a field that no document has are refused', async () => {
      const filters = [{ field: 'yaer', operator: '$eq', value: 2024 } as const];
      await expect(found('whale', { filters })).rejects.toMatchObject({ reason: 'invalid_request' });
      await store.remove('c', 'a');
      const gone = [{ field: 'kind', operator: '$eq', value: 'x' } as const];
      await expect(found('whale', { filters: gone })).rejects.toMatchObject({ reason: 'invalid_request' });
      await make('empty');
      expect(await found('whale', { filters }, 'empty')).toEqual([]);
    });

    test('that cannot be understood are refused', async () => {
      const filters = [{ field: 'year', operator: '$in', value: 2024 } as const];
      await expect(found('whale', { filters })).rejects.toMatchObject({ reason: 'invalid_request' });
    });
  });

  describe('vectors', () => {
    beforeEach(() => make());

    const compass = [
      newChunk(0, 'east', { vector: vector(2, 0) }),
      newChunk(1, 'north', { vector: vector(0, 0.5) }),
      newChunk(2, 'west', { vector: vector(-1, 0) }),
      newChunk(3, 'words only'),
    ];

    if (!vectors) {
      test('cannot be stored, which is reported', async () => {
        const edition = await store.begin('c', indexedDocument('a'));
        await expect(store.add('c', edition, compass)).rejects.toMatchObject({ reason: 'vectors_unavailable' });
        await store.add('c', edition, [newChunk(0, 'words only')]);
        await store.publish('c', edition);
        expect(await found('words')).toEqual(['words only']);
        expect(await nearest(vector(1, 0))).toEqual([]);
      });
      return;
    }

    test.each([false, true])('are found by their closeness, exact: %s', async (exact) => {
      await storeDocument(store, 'c', indexedDocument('a'), compass);
      const { keyword, vector: hits } = await store.search('c', { vector: vector(3, 0.3), limit: 9, exact });
      expect(keyword).toEqual([]);
      expect(
        (
          await store.read(
            'c',
            hits.map(({ id }) => id),
          )
        ).map(({ text }) => text),
      ).toEqual(['east', 'north', 'west']);
      const length = Math.hypot(3, 0.3);
      [3 / length, 0.3 / length, -3 / length].forEach((score, index) => {
        expect(hits[index]?.score).toBeCloseTo(score, 5);
      });
      expect(await store.statistics('c')).toEqual({ documents: 1, chunks: 4, dimensions: 2 });
    });

    test('are searched together with words', async () => {
      await storeDocument(store, 'c', indexedDocument('a'), compass);
      const both = await store.search('c', { text: 'north', vector: vector(1, 0), limit: 1 });
      expect(both.keyword).toHaveLength(1);
      expect(both.vector).toHaveLength(1);
      expect(both.keyword[0]?.id).not.toBe(both.vector[0]?.id);
    });

    test('of another length are rejected, and none of them is stored', async () => {
      await storeDocument(store, 'c', indexedDocument('a'), compass);
      const edition = await store.begin('c', indexedDocument('b'));
      for (const wrong of [vector(1, 2, 3), vector(1), new Float32Array()]) {
        const chunks = [newChunk(0, 'right', { vector: vector(1, 1) }), newChunk(1, 'wrong', { vector: wrong })];
        await expect(store.add('c', edition, chunks)).rejects.toMatchObject({ reason: 'vector_dimensions' });
        await expect(nearest(wrong)).rejects.toMatchObject({ reason: 'vector_dimensions' });
      }
      await store.publish('c', edition);
      expect(await found('right wrong')).toEqual([]);
      expect(await nearest(vector(0.1, 1))).toEqual(['north', 'east', 'west']);
    });

    test('of different lengths settle nothing', async () => {
      const edition = await store.begin('c', indexedDocument('a'));
      const mixed = [newChunk(0, 'x', { vector: vector(1, 1) }), newChunk(1, 'y', { vector: vector(1, 1, 1) })];
      await expect(store.add('c', edition, mixed)).rejects.toMatchObject({ reason: 'vector_dimensions' });
      await store.add('c', edition, [newChunk(0, 'z', { vector: vector(1, 1, 1) })]);
      await store.publish('c', edition);
      expect(await store.statistics('c')).toEqual({ documents: 1, chunks: 1, dimensions: 3 });
    });

    test.each<[string, Float32Array]>([
      ['zeros', vector(0, 0)],
      ['what is not a number', vector(1, Number.NaN)],
      ['infinity', vector(Number.POSITIVE_INFINITY, 1)],
    ])('of %s are refused', async (_, wrong) => {
      await storeDocument(store, 'c', indexedDocument('a'), compass);
      const edition = await store.begin('c', indexedDocument('b'));
      const chunks = [newChunk(0, 'right', { vector: vector(1, 1) }), newChunk(1, 'wrong', { vector: wrong })];
      await expect(store.add('c', edition, chunks)).rejects.toMatchObject({ reason: 'invalid_request' });
      await store.publish('c', edition);
      expect(await found('right')).toEqual([]);
      await expect(nearest(wrong)).rejects.toMatchObject({ reason: 'invalid_request' });
    });

    test('however long or short are compared by their direction', async () => {
      await storeDocument(store, 'c', indexedDocument('a'), [
        newChunk(0, 'huge', { vector: vector(3e38, 0) }),
        newChunk(1, 'tiny', { vector: vector(0, 1e-40) }),
      ]);
      expect(await nearest(vector(1e-40, 3e-40))).toEqual(['tiny', 'huge']);
    });

    test('are not asked for where there are none', async () => {
      await put('a', ['words only']);
      expect(await nearest(vector(1, 0))).toEqual([]);
    });

    test('follow editions, removals and filters', async () => {
      await storeDocument(store, 'c', indexedDocument('a', { metadata: { kind: 'x' } }), compass);
      await storeDocument(store, 'c', indexedDocument('b'), [newChunk(0, 'other', { vector: vector(1, 0.1) })]);
      const filters = [{ field: 'kind', operator: '$ne', value: 'x' } as const];
      expect(await nearest(vector(1, 0), { filters })).toEqual(['other']);
      const edition = await store.begin('c', indexedDocument('a'));
      await store.add('c', edition, [newChunk(0, 'new', { vector: vector(1, 0) })]);
      expect(await nearest(vector(1, 0), { limit: 1 })).toEqual(['east']);
      await store.publish('c', edition);
      expect(await nearest(vector(1, 0))).toEqual(['new', 'other']);
      await store.remove('c', 'b');
      expect(await nearest(vector(1, 0))).toEqual(['new']);
    });

    test('can be of 4096 dimensions, and of a number that eight does not divide', async () => {
      for (const dimensions of [4096, 7, 33]) {
        const name = `of ${dimensions}`;
        await make(name);
        const turned = (index: number) =>
          Float32Array.from({ length: dimensions }, (_, at) => Math.cos(at * (index + 1)));
        await storeDocument(
          store,
          name,
          indexedDocument('a'),
          [0, 1, 2, 3].map((index) => newChunk(index, `text ${index}`, { vector: turned(index) })),
        );
        expect(await nearest(turned(2), { limit: 1 }, name)).toEqual(['text 2']);
        expect(await store.statistics(name)).toMatchObject({ dimensions });
      }
    });

    test('that are given stay with whom they belong to', async () => {
      const given = vector(3, 4);
      await storeDocument(store, 'c', indexedDocument('a'), [newChunk(0, 'x', { vector: given })]);
      await nearest(given);
      expect(given).toEqual(vector(3, 4));
    });
  });
}
