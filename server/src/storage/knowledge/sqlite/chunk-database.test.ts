import type { ChunkHit, NewChunk } from '@parley/sdk/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  inAFolderOfItsOwn,
  type Opened,
  openDatabase,
  storeIn,
} from '../../../../test/stores/chunk-database-fixture.ts';
import { indexedDocument, newChunk } from '../../../../test/stores/chunk-store-fixture.ts';
import { termScore, termWeight, weighted } from '../../../lib/bm25.ts';
import { termsOf } from '../../../lib/search-terms/search-terms.ts';
import type { ChunkDatabase } from './chunk-database.ts';
import type { ChunkDatabaseOptions } from './chunk-database-options.ts';

/*
 * The store inside its thread, here without one: against a model that is as simple as can be, and with bounds that are
 * small enough to be reached.
 */

inAFolderOfItsOwn();

/** Published chunks, as a simple model. */
class Model {
  readonly documents = new Map<string, { title: string; chunks: readonly NewChunk[] }>();

  chunks(): { document: string; title: string; chunk: NewChunk }[] {
    return [...this.documents].flatMap(([document, { title, chunks }]) =>
      chunks.map((chunk) => ({ document, title, chunk })),
    );
  }

  /** BM25 by its formula, of all chunks with a score. */
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

test('any sequence of operations finds the same as a simple model, with the same scores', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 25 }), text, vectors, async (commands, question, wanted) => {
      run += 1;
      // Codes are computed from the first vector on in every other run; comparing all candidates is exact with them,
      // too.
      const options = { codesFrom: run % 2 === 0 ? 1 : 5000 };
      let one = openDatabase(options, `${run}.db`);
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
            await storeIn(one.database, id, chunks, step.title);
            model.documents.set(id, { title: step.title, chunks });
          } else {
            await one.database.add('c', one.database.begin('c', indexedDocument(id, { title: step.title })), chunks);
          }
        } else if (step.kind === 'remove') {
          one.database.remove('c', id);
          model.documents.delete(id);
        } else if (step.kind === 'reopen') {
          one.close();
          one = openDatabase(options, `${run}.db`);
        } else if (step.kind === 'sweep') {
          one.database.sweep(new Map([['c', { stored: new Set(model.documents.keys()), claimed: new Set() }]]));
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

describe('bounds of a keyword search', () => {
  /** Chunks that each contain a common word, every tenth a rarer one, and one a unique one. */
  async function filled(options: Partial<ChunkDatabaseOptions>): Promise<{ one: Opened; model: Model }> {
    const one = openDatabase(options);
    one.database.create('c', 'english');
    const model = new Model();
    const chunks = Array.from({ length: 300 }, (_, index) =>
      newChunk(
        index,
        `common ${'filling '.repeat(index % 7)} ${index % 10 === 0 ? 'rarer' : ''} own${index} ${index % 3 === 0 ? 'common often' : ''}`,
      ),
    );
    await storeIn(one.database, 'd', chunks);
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

  test('that are reached let common words change the order of what holds a rare one', async () => {
    const one = openDatabase({ words: { postings: 50, smallCollection: 0, candidates: 40 } });
    one.database.create('c', 'english');
    const model = new Model();
    // The longer of those with the rare word hold the common one more often, in another order than their lengths.
    const chunks = Array.from({ length: 400 }, (_, index) =>
      newChunk(
        index,
        index % 10 === 0
          ? `rarer ${'filling '.repeat(index / 10)} ${'common '.repeat((index / 10) % 7)}`
          : `${index % 2 === 0 ? 'common' : 'other'} filling text`,
      ),
    );
    await storeIn(one.database, 'd', chunks);
    model.documents.set('d', { title: '', chunks });
    for (const limit of [1, 2, 5, 10]) {
      const { keyword } = one.database.search('c', { text: 'common rarer', limit });
      expectSameScores(named(one.database, keyword), best(model.byWords('common rarer'), limit));
    }
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
