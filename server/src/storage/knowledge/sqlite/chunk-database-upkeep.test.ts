import { describe, expect, test } from 'vitest';
import { inAFolderOfItsOwn, openDatabase, storeIn } from '../../../../test/stores/chunk-database-fixture.ts';
import { indexedDocument, newChunk } from '../../../../test/stores/chunk-store-fixture.ts';
import type { ChunkDatabase } from './chunk-database.ts';

inAFolderOfItsOwn();

describe('codes of vectors', () => {
  const dimensions = 64;
  const random = randomFrom(3);
  const centres = Array.from({ length: 12 }, () => near(null));
  function near(centre: Float32Array | null): Float32Array {
    return Float32Array.from(
      { length: dimensions },
      (_, index) => (centre?.[index] ?? 0) + (random() + random() - 1) + 0.3,
    );
  }
  const chunks = Array.from({ length: 4000 }, (_, index) =>
    newChunk(index, 'text', { vector: near(centres[index % centres.length] as Float32Array) }),
  );
  const recall = (database: ChunkDatabase) => {
    let found = 0;
    for (let question = 0; question < 30; question++) {
      const vector = near(centres[question % centres.length] as Float32Array);
      const exact = database.search('c', { vector, limit: 10, exact: true }).vector;
      const ids = new Set(database.search('c', { vector, limit: 10 }).vector.map(({ id }) => id));
      found += exact.filter(({ id }) => ids.has(id)).length;
    }
    return found / 300;
  };

  test('find nearly all that is nearest, also after the file is opened again', async () => {
    const one = openDatabase({ codesFrom: 1000 });
    one.database.create('c', 'english');
    await storeIn(one.database, 'd', chunks);
    await one.idle();
    expect(one.file.get('select count(*) from codes_1')).toEqual([4000]);
    expect(recall(one.database)).toBeGreaterThan(0.97);
    one.close();
    expect(recall(openDatabase({ codesFrom: 1000 }).database)).toBeGreaterThan(0.97);
  });

  test('that are incomplete do not affect search and are completed after a start', async () => {
    const one = openDatabase({ codesFrom: 1000 });
    one.database.create('c', 'english');
    await storeIn(one.database, 'd', chunks);
    await one.idle();
    one.file.run('delete from codes_1 where id % 3 = 0');
    one.close();
    const again = openDatabase({ codesFrom: 1000 });
    expect(recall(again.database)).toBeGreaterThan(0.97);
    await again.idle();
    expect(again.file.get('select count(*) from codes_1')).toEqual([4000]);
  });

  test('are not computed for a small collection', async () => {
    const one = openDatabase({ codesFrom: 5000 });
    one.database.create('c', 'english');
    await storeIn(one.database, 'd', chunks.slice(0, 100));
    await one.idle();
    expect(one.file.get('select count(*) from codes_1')).toEqual([0]);
    expect(recall(one.database)).toBe(1);
  });

  test('count only published chunks', async () => {
    const one = openDatabase({ codesFrom: 100 });
    one.database.create('c', 'english');
    // Nearer than all others, and hidden.
    const wanted = near(null);
    const hidden = one.database.begin('c', indexedDocument('hidden'));
    for (let from = 0; from < 2000; from += 200) {
      await one.database.add(
        'c',
        hidden,
        Array.from({ length: 200 }, (_, index) => newChunk(from + index, 'x', { vector: wanted })),
      );
    }
    await storeIn(one.database, 'd', chunks.slice(0, 500));
    await one.idle();
    expect(one.database.search('c', { vector: wanted, limit: 10 }).vector).toEqual(
      one.database.search('c', { vector: wanted, limit: 10, exact: true }).vector,
    );
    expect(one.database.search('c', { vector: wanted, limit: 1000 }).vector).toHaveLength(500);
  });
});

describe('removed data', () => {
  test('leaves nothing behind in the end', async () => {
    const one = openDatabase({ codesFrom: 10 });
    one.database.create('c', 'english');
    const chunks = Array.from({ length: 1500 }, (_, index) =>
      newChunk(index, `word${index}`, { vector: Float32Array.of(index, 1) }),
    );
    await storeIn(one.database, 'a', chunks);
    await storeIn(one.database, 'b', chunks.slice(0, 20));
    await storeIn(one.database, 'a', chunks.slice(0, 5));
    one.database.abandon('c', one.database.begin('c', indexedDocument('x')));
    await one.idle();
    const count = (table: string) => one.file.get<[number]>(`select count(*) from ${table}`)?.[0];
    expect(['editions_1', 'chunks_1', 'terms_1', 'vectors_1', 'codes_1'].map(count)).toEqual([2, 25, 25, 25, 25]);
    expect(one.file.get("select count(*) from terms_1_row where term = 'word1234'")).toEqual([0]);
    // The compacted memory is still correct.
    expect(one.database.search('c', { text: 'word7 word3', limit: 9 }).keyword).toHaveLength(3);
    expect(one.database.search('c', { vector: Float32Array.of(3, 1), limit: 99 }).vector).toHaveLength(25);
  });

  test('is removed after a start, when there was no time before', async () => {
    const one = openDatabase();
    one.database.create('c', 'english');
    one.database.create('gone', 'english');
    await storeIn(
      one.database,
      'a',
      Array.from({ length: 300 }, (_, index) => newChunk(index, 'text')),
    );
    await one.idle();
    one.database.remove('c', 'a');
    one.database.drop('gone');
    one.close();
    const again = openDatabase();
    expect(again.database.statistics('c')).toEqual({ documents: 0, chunks: 0, dimensions: null });
    expect(again.database.statistics('gone')).toBeNull();
    await again.idle();
    expect(again.file.get('select count(*) from chunks_1')).toEqual([0]);
    expect(again.file.all("select name from sqlite_schema where name like '%\\_2%' escape '\\'")).toEqual([]);
    expect(again.file.all('select collection_id from collections')).toEqual([['c']]);
  });

  test('returns its space to the disk', async () => {
    const one = openDatabase();
    one.database.create('c', 'english');
    const vector = new Float32Array(1500).fill(1);
    await storeIn(
      one.database,
      'a',
      Array.from({ length: 3000 }, (_, index) => newChunk(index, 'text', { vector })),
    );
    const pages = () => one.file.get<[number]>('pragma page_count')?.[0] ?? 0;
    const before = pages();
    one.database.drop('c');
    await one.idle();
    expect(before).toBeGreaterThan(3000);
    expect(pages()).toBeLessThan(2100);
  });

  test('in steps lets searches run in between', async () => {
    const one = openDatabase();
    for (const name of ['c', 'd']) one.database.create(name, 'english');
    await storeIn(
      one.database,
      'a',
      Array.from({ length: 4000 }, (_, index) => newChunk(index, `text ${'word '.repeat(50)}${index}`)),
    );
    await one.idle();
    one.database.drop('c');
    let turns = 0;
    while (!one.database.isIdle) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    expect(turns).toBeGreaterThan(5);
  });
});

describe('cached embeddings', () => {
  const vectors = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      hash: `h${from + index}`,
      vector: Float32Array.of(from + index, 1),
    }));

  test.each([
    ['count', { count: 100, bytes: 1e9 }],
    ['bytes', { count: 1e9, bytes: 800 }],
  ])('are bounded by their %s, and the oldest go', async (_, embeddingCache) => {
    const one = openDatabase({ embeddingCache });
    await one.database.keepVectors('m', vectors(0, 60));
    // Not used for a long time.
    one.file.run('update kept_vectors set used_at = used_at - 10000 - id');
    await one.database.keepVectors('m', vectors(60, 35));
    await one.idle();
    expect(one.database.knownVectors('m', ['h59'])).toEqual([Float32Array.of(59, 1)]);
    await one.database.keepVectors('m', vectors(100, 20));
    await one.idle();
    const known = (hash: string) => one.database.knownVectors('m', [hash])[0] !== null;
    expect(one.file.get<[number]>('select count(*) from kept_vectors')?.[0]).toBeLessThanOrEqual(100);
    // A hit made it recent.
    expect(['h59', 'h94', 'h119'].map(known)).toEqual([true, true, true]);
    one.close();
    const again = openDatabase({ embeddingCache });
    await again.database.keepVectors('m', vectors(200, 100));
    await again.idle();
    expect(again.file.get<[number]>('select count(*) from kept_vectors')?.[0]).toBeLessThanOrEqual(100);
  });
});

test('collections that were not used for long leave the memory, and are read again', async () => {
  const one = openDatabase({ memory: 1 });
  one.database.create('c', 'english');
  one.database.create('other', 'english');
  await storeIn(one.database, 'a', [newChunk(0, 'a whale', { vector: Float32Array.of(1, 0) })]);
  one.database.search('other', { text: 'x', limit: 1 });
  expect(found(one.database, 'whale')).toEqual(['a whale']);
  one.database.search('other', { text: 'x', limit: 1 });
  await storeIn(one.database, 'b', [newChunk(0, 'b whale', { vector: Float32Array.of(0, 1) })]);
  expect(found(one.database, 'whale')).toEqual(['a whale', 'b whale']);
  expect(one.database.search('c', { vector: Float32Array.of(0, 1), limit: 5 }).vector).toHaveLength(2);
});

/** Texts of the results of a query. */
function found(database: ChunkDatabase, text: string): string[] {
  const { keyword } = database.search('c', { text, limit: 5 });
  return database
    .read(
      'c',
      keyword.map(({ id }) => id),
    )
    .map((chunk) => chunk.text);
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
