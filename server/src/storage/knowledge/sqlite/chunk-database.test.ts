import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChunkHit, NewChunk } from '@parley/sdk';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexedDocument, newChunk } from '../../../../test/stores/chunk-store-fixture.ts';
import { termScore, termWeight, weighted } from '../../../lib/bm25.ts';
import { termsOf } from '../../../lib/search-terms/search-terms.ts';
import { ChunkDatabase, type ChunkDatabaseOptions, usualOptions } from './chunk-database.ts';
import { type KnowledgeFile, openKnowledgeFile } from './knowledge-file.ts';

/*
 * The store inside its thread, here without one: against a model that is as simple as can be, and with bounds that are
 * small enough to be reached.
 */

let dataDir: string;
let opened: Opened[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-chunks-'));
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Opened {
  database: ChunkDatabase;
  file: KnowledgeFile;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  close(): void;
}

function open(options: Partial<ChunkDatabaseOptions> = {}, name = 'knowledge.db'): Opened {
  const file = openKnowledgeFile(join(dataDir, name), (_, error) => expect.unreachable(error));
  const failures: unknown[] = [];
  const waiting: (() => void)[] = [];
  const database = new ChunkDatabase(
    file,
    { ...usualOptions, ...options },
    {
      failed: (error) => failures.push(error),
      idle: () => {
        for (const resolve of waiting.splice(0)) resolve();
      },
    },
  );
  const one: Opened = {
    database,
    file,
    idle: async () => {
      if (!database.isIdle) await new Promise<void>((resolve) => waiting.push(resolve));
      expect(failures).toEqual([]);
    },
    close: () => {
      opened = opened.filter((other) => other !== one);
      database.close();
    },
  };
  opened.push(one);
  return one;
}

async function store(database: ChunkDatabase, id: string, chunks: readonly NewChunk[], title: string | null = null) {
  const edition = database.begin('c', indexedDocument(id, { title }));
  for (let from = 0; from < chunks.length; from += 200)
    await database.add('c', edition, chunks.slice(from, from + 200));
  await database.publish('c', edition);
}

/** What is published, as simply as can be. */
class Model {
  readonly documents = new Map<string, { title: string; chunks: readonly NewChunk[] }>();

  chunks(): { document: string; title: string; chunk: NewChunk }[] {
    return [...this.documents].flatMap(([document, { title, chunks }]) =>
      chunks.map((chunk) => ({ document, title, chunk })),
    );
  }

  /** BM25 as its formula says, of all chunks that have a score. */
  byWords(text: string): Map<string, number> {
    const fields = this.chunks().map(({ document, title, chunk }) => ({
      key: `${document} ${chunk.position}`,
      title: termsOf(title, 'english'),
      headings: termsOf(chunk.heading_path.join('\n'), 'english'),
      body: termsOf(chunk.text, 'english'),
    }));
    const frequency = (one: (typeof fields)[number], holds: (term: string) => boolean) =>
      weighted({
        title: one.title.filter(holds).length,
        headings: one.headings.filter(holds).length,
        body: one.body.filter(holds).length,
      });
    const lengths = fields.map((one) => frequency(one, () => true));
    const average = lengths.reduce((sum, length) => sum + length, 0) / fields.length || 1;
    const scores = new Map<string, number>();
    for (const term of new Set(termsOf(text, 'english'))) {
      const frequencies = fields.map((one) => frequency(one, (other) => other === term));
      const holding = frequencies.filter((count) => count > 0).length;
      const weight = termWeight(term, fields.length, holding);
      for (const [index, one] of fields.entries()) {
        const count = frequencies[index] as number;
        if (count === 0) continue;
        scores.set(one.key, (scores.get(one.key) ?? 0) + termScore(weight, count, lengths[index] as number, average));
      }
    }
    return scores;
  }

  byVector(wanted: Float32Array): Map<string, number> {
    return new Map(
      this.chunks().flatMap(({ document, chunk }) =>
        chunk.vector === null ? [] : [[`${document} ${chunk.position}`, cosine(wanted, chunk.vector)] as const],
      ),
    );
  }
}

function cosine(left: Float32Array, right: Float32Array): number {
  const dot = (one: Float32Array, other: Float32Array) =>
    one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
}

/** Hits by the keys of the model. */
function named(database: ChunkDatabase, hits: readonly ChunkHit[]): Map<string, number> {
  const chunks = database.read(
    'c',
    hits.map(({ id }) => id),
  );
  expect(chunks).toHaveLength(hits.length);
  return new Map(
    chunks.map((chunk, index) => [`${chunk.document.document_id} ${chunk.position}`, hits[index]?.score ?? 0]),
  );
}

function expectSameScores(found: Map<string, number>, expected: Map<string, number>): void {
  expect([...found.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
  for (const [key, score] of found) expect(score).toBeCloseTo(expected.get(key) as number, 5);
  const scores = [...found.values()];
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
}

const text = fc
  .array(fc.constantFrom('whale', 'whales', 'shark', 'sea', 'the', 'deep', '订单号', '东京', 'a b', '"quoted"', ''), {
    maxLength: 8,
  })
  .map((words) => words.join(' '));
const vectors = fc
  .tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .map((values) => Float32Array.from(values));
const chunk = fc.record({ text, heading: text, vector: fc.option(vectors) });
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('store'),
      document: fc.integer({ max: 4, min: 0 }),
      title: text,
      chunks: fc.array(chunk, { maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('half'),
      document: fc.integer({ max: 4, min: 0 }),
      title: text,
      chunks: fc.array(chunk, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), document: fc.integer({ max: 4, min: 0 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait') }) },
);

test('whatever is done, what is found is what a simple model finds, with the same scores', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 25 }), text, vectors, async (commands, question, wanted) => {
      run += 1;
      // Codes are made from the first vector on in every other run; comparing all candidates is exact with them, too.
      const options = { codesFrom: run % 2 === 0 ? 1 : 5000 };
      let one = open(options, `${run}.db`);
      one.database.create('c', 'english');
      const model = new Model();
      const toChunks = (chunks: { text: string; heading: string; vector: Float32Array | null }[]) =>
        chunks.map(({ text, heading, vector }, position) =>
          newChunk(position, text, { vector, heading_path: heading === '' ? [] : [heading] }),
        );
      for (const step of commands) {
        const id = 'document' in step ? `d${step.document}` : '';
        if ('chunks' in step) {
          const chunks = toChunks(step.chunks);
          if (step.kind === 'store') {
            await store(one.database, id, chunks, step.title);
            model.documents.set(id, { title: step.title, chunks });
          } else {
            await one.database.add('c', one.database.begin('c', indexedDocument(id, { title: step.title })), chunks);
          }
        } else if (step.kind === 'remove') {
          one.database.remove('c', id);
          model.documents.delete(id);
        } else if (step.kind === 'reopen') {
          one.close();
          one = open(options, `${run}.db`);
        } else if (step.kind === 'sweep') {
          one.database.sweep(new Map([['c', new Set(model.documents.keys())]]));
        } else {
          await one.idle();
        }
      }
      const expectedWords = model.byWords(question);
      const expectedVectors = model.byVector(wanted);
      for (const exact of [false, true]) {
        const found = one.database.search('c', { text: question, vector: wanted, limit: 1000, exact });
        expectSameScores(named(one.database, found.keyword), expectedWords);
        expectSameScores(named(one.database, found.vector), expectedVectors);
      }
      expect(one.database.documents('c')).toEqual(
        new Map([...model.documents].map(([id, { chunks }]) => [id, chunks.length])),
      );
      one.close();
    }),
    { numRuns: 60 },
  );
});

describe('bounds of a search by words', () => {
  /** Chunks of which each holds a common word, every tenth a rarer one, and one a word of its own. */
  async function filled(options: Partial<ChunkDatabaseOptions>): Promise<{ one: Opened; model: Model }> {
    const one = open(options);
    one.database.create('c', 'english');
    const model = new Model();
    const chunks = Array.from({ length: 300 }, (_, index) =>
      newChunk(
        index,
        `common ${'filling '.repeat(index % 7)} ${index % 10 === 0 ? 'rarer' : ''} own${index} ${index % 3 === 0 ? 'common often' : ''}`,
      ),
    );
    await store(one.database, 'd', chunks);
    model.documents.set('d', { title: '', chunks });
    return { one, model };
  }
  const best = (scores: Map<string, number>, count: number) =>
    new Map([...scores].toSorted((left, right) => right[1] - left[1]).slice(0, count));

  test('that are not reached leave it exact', async () => {
    const { one, model } = await filled({ words: { postings: 10, smallCollection: 300, candidates: 5 } });
    const { keyword } = one.database.search('c', { text: 'common rarer own20 filling often', limit: 300 });
    expectSameScores(named(one.database, keyword), model.byWords('common rarer own20 filling often'));
  });

  test('that are reached change neither scores nor the best, where rare words decide', async () => {
    const { one, model } = await filled({ words: { postings: 50, smallCollection: 0, candidates: 40 } });
    const question = 'common rarer own20';
    const { keyword } = one.database.search('c', { text: question, limit: 20 });
    expectSameScores(named(one.database, keyword), best(model.byWords(question), 20));
  });

  test('find something where a rare word alone would find too little', async () => {
    const { one } = await filled({ words: { postings: 50, smallCollection: 0, candidates: 40 } });
    const { keyword } = one.database.search('c', { text: 'own20 common', limit: 20 });
    expect(keyword).toHaveLength(20);
    expect([...named(one.database, keyword).keys()][0]).toBe('d 20');
  });

  test('read one word whatever it takes', async () => {
    const { one, model } = await filled({ words: { postings: 1, smallCollection: 0, candidates: 1 } });
    const { keyword } = one.database.search('c', { text: 'common', limit: 300 });
    expectSameScores(named(one.database, keyword), model.byWords('common'));
  });
});

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
    const one = open({ codesFrom: 1000 });
    one.database.create('c', 'english');
    await store(one.database, 'd', chunks);
    await one.idle();
    expect(one.file.get('select count(*) from codes_1')).toEqual([4000]);
    expect(recall(one.database)).toBeGreaterThan(0.97);
    one.close();
    expect(recall(open({ codesFrom: 1000 }).database)).toBeGreaterThan(0.97);
  });

  test('that are not all made are no hindrance, and the rest are made after a start', async () => {
    const one = open({ codesFrom: 1000 });
    one.database.create('c', 'english');
    await store(one.database, 'd', chunks);
    await one.idle();
    one.file.run('delete from codes_1 where id % 3 = 0');
    one.close();
    const again = open({ codesFrom: 1000 });
    expect(recall(again.database)).toBeGreaterThan(0.97);
    await again.idle();
    expect(again.file.get('select count(*) from codes_1')).toEqual([4000]);
  });

  test('are not made for few', async () => {
    const one = open({ codesFrom: 5000 });
    one.database.create('c', 'english');
    await store(one.database, 'd', chunks.slice(0, 100));
    await one.idle();
    expect(one.file.get('select count(*) from codes_1')).toEqual([0]);
    expect(recall(one.database)).toBe(1);
  });

  test('count only what may be found', async () => {
    const one = open({ codesFrom: 100 });
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
    await store(one.database, 'd', chunks.slice(0, 500));
    await one.idle();
    expect(one.database.search('c', { vector: wanted, limit: 10 }).vector).toEqual(
      one.database.search('c', { vector: wanted, limit: 10, exact: true }).vector,
    );
    expect(one.database.search('c', { vector: wanted, limit: 1000 }).vector).toHaveLength(500);
  });
});

describe('what is removed', () => {
  test('leaves nothing behind in the end', async () => {
    const one = open({ codesFrom: 10 });
    one.database.create('c', 'english');
    const chunks = Array.from({ length: 1500 }, (_, index) =>
      newChunk(index, `word${index}`, { vector: Float32Array.of(index, 1) }),
    );
    await store(one.database, 'a', chunks);
    await store(one.database, 'b', chunks.slice(0, 20));
    await store(one.database, 'a', chunks.slice(0, 5));
    one.database.abandon('c', one.database.begin('c', indexedDocument('x')));
    await one.idle();
    const count = (table: string) => one.file.get<[number]>(`select count(*) from ${table}`)?.[0];
    expect(['editions_1', 'chunks_1', 'terms_1', 'vectors_1', 'codes_1'].map(count)).toEqual([2, 25, 25, 25, 25]);
    expect(one.file.get("select count(*) from terms_1_row where term = 'word1234'")).toEqual([0]);
    // What is in memory was made smaller and is still right.
    expect(one.database.search('c', { text: 'word7 word3', limit: 9 }).keyword).toHaveLength(3);
    expect(one.database.search('c', { vector: Float32Array.of(3, 1), limit: 99 }).vector).toHaveLength(25);
  });

  test('is removed after a start, when there was no time before', async () => {
    const one = open();
    one.database.create('c', 'english');
    one.database.create('gone', 'english');
    await store(
      one.database,
      'a',
      Array.from({ length: 300 }, (_, index) => newChunk(index, 'text')),
    );
    await one.idle();
    one.database.remove('c', 'a');
    one.database.drop('gone');
    one.close();
    const again = open();
    expect(again.database.statistics('c')).toEqual({ documents: 0, chunks: 0, dimensions: null });
    expect(again.database.statistics('gone')).toBeNull();
    await again.idle();
    expect(again.file.get('select count(*) from chunks_1')).toEqual([0]);
    expect(again.file.all("select name from sqlite_schema where name like '%\\_2%' escape '\\'")).toEqual([]);
    expect(again.file.all('select collection_id from collections')).toEqual([['c']]);
  });

  test('gives its space back to the disk', async () => {
    const one = open();
    one.database.create('c', 'english');
    const vector = new Float32Array(1500).fill(1);
    await store(
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

  test('in pieces lets questions come in between', async () => {
    const one = open();
    for (const name of ['c', 'd']) one.database.create(name, 'english');
    await store(
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

describe('vectors that are kept', () => {
  const kept = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      hash: `h${from + index}`,
      vector: Float32Array.of(from + index, 1),
    }));

  test.each([
    ['count', { count: 100, bytes: 1e9 }],
    ['bytes', { count: 1e9, bytes: 800 }],
  ])('are bounded by their %s, and the oldest go', async (_, keptVectors) => {
    const one = open({ keptVectors });
    await one.database.keepVectors('m', kept(0, 60));
    // What was kept long ago.
    one.file.run('update kept_vectors set used_at = used_at - 10000 - id');
    await one.database.keepVectors('m', kept(60, 35));
    await one.idle();
    expect(one.database.knownVectors('m', ['h59'])).toEqual([Float32Array.of(59, 1)]);
    await one.database.keepVectors('m', kept(100, 20));
    await one.idle();
    const known = (hash: string) => one.database.knownVectors('m', [hash])[0] !== null;
    expect(one.file.get<[number]>('select count(*) from kept_vectors')?.[0]).toBeLessThanOrEqual(100);
    // Asking for it made it a new one.
    expect(['h59', 'h94', 'h119'].map(known)).toEqual([true, true, true]);
    one.close();
    const again = open({ keptVectors });
    await again.database.keepVectors('m', kept(200, 100));
    await again.idle();
    expect(again.file.get<[number]>('select count(*) from kept_vectors')?.[0]).toBeLessThanOrEqual(100);
  });
});

test('collections that were not used for long leave the memory, and are read again', async () => {
  const one = open({ memory: 1 });
  one.database.create('c', 'english');
  one.database.create('other', 'english');
  await store(one.database, 'a', [newChunk(0, 'a whale', { vector: Float32Array.of(1, 0) })]);
  one.database.search('other', { text: 'x', limit: 1 });
  expect(named(one.database, one.database.search('c', { text: 'whale', limit: 5 }).keyword).size).toBe(1);
  one.database.search('other', { text: 'x', limit: 1 });
  await store(one.database, 'b', [newChunk(0, 'b whale', { vector: Float32Array.of(0, 1) })]);
  expect(named(one.database, one.database.search('c', { text: 'whale', limit: 5 }).keyword).size).toBe(2);
  expect(one.database.search('c', { vector: Float32Array.of(0, 1), limit: 5 }).vector).toHaveLength(2);
});

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
