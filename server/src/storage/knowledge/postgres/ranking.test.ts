import type { ChunkHit } from '@parley/sdk/internal';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FreshDatabase } from '../../../../test/postgres/fresh-database.ts';
import { emptyDatabase } from '../../../../test/postgres/test-database.ts';
import { indexedDocument, newChunk, storeDocument } from '../../../../test/stores/chunk-store-fixture.ts';
import type { ChunkStore } from '../../../core/knowledge/chunk-store.ts';
import { type FieldCounts, termScore, termWeight, weighted } from '../../../lib/bm25.ts';
import { termsOf } from '../../../lib/search-terms/search-terms.ts';
import type { Database } from '../../database.ts';
import { openPostgres } from '../../postgres-database.ts';
import { PostgresChunkStore } from './postgres-chunk-store.ts';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Passage {
  title: string | null;
  headings: string[];
  text: string;
}

/** BM25 scores by name of all passages that contain a term of the query. */
function rank(passages: ReadonlyMap<string, Passage>, query: string): Map<string, number> {
  const counted = [...passages].map(([name, { title, headings, text }]) => ({
    name,
    title: termsOf(title ?? '', 'english'),
    headings: headings.flatMap((heading) => termsOf(heading, 'english')),
    body: termsOf(text, 'english'),
  }));
  const lengths = counted.map(({ title, headings, body }) =>
    weighted({ title: title.length, headings: headings.length, body: body.length }),
  );
  const average = Math.max(lengths.reduce((sum, length) => sum + length, 0) / passages.size, 1);
  const scores = new Map<string, number>();
  for (const term of new Set(termsOf(query, 'english'))) {
    const count = (terms: string[]) => terms.filter((one) => one === term).length;
    const frequencies = counted.map(
      ({ title, headings, body }): FieldCounts => ({
        title: count(title),
        headings: count(headings),
        body: count(body),
      }),
    );
    const holding = frequencies.filter(({ title, headings, body }) => title + headings + body > 0).length;
    const weight = termWeight(term, passages.size, holding);
    frequencies.forEach((frequency, index) => {
      if (weighted(frequency) === 0) return;
      const { name } = counted[index] as { name: string };
      const score = termScore(weight, weighted(frequency), lengths[index] as number, average);
      scores.set(name, (scores.get(name) ?? 0) + score);
    });
  }
  return scores;
}

describe('keyword ranking', () => {
  let place: FreshDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await emptyDatabase();
    database = await openPostgres(place.url);
  });
  afterAll(async () => {
    await database.destroy();
    await place.drop();
  });

  async function withStore<Value>(
    work: (store: ChunkStore) => Promise<Value>,
    more: { postingBudget?: number } = {},
  ): Promise<Value> {
    await sql`drop schema if exists knowledge_chunks cascade`.execute(database);
    const store = await PostgresChunkStore.open(database, { logger, ...more });
    try {
      await store.create('c', { language: 'english' });
      return await work(store);
    } finally {
      await store.close();
    }
  }

  const word = fc.constantFrom('whale', 'whales', 'shark', 'sea', 'the', 'ship', 'Häuser', '订单号', '东京', '42');
  const words = fc.array(word, { maxLength: 12 }).map((list) => list.join(' '));
  const document = fc.record({
    title: fc.option(words),
    chunks: fc.array(fc.record({ headings: fc.array(words, { maxLength: 2 }), text: words }), { maxLength: 5 }),
    fate: fc.constantFrom('stays', 'stays', 'is replaced', 'is removed', 'is never published'),
  });

  test('is BM25 over published editions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 8 }), words, async (documents, query) => {
        await withStore(async (store) => {
          const published = new Map<string, Passage>();
          for (const [index, { title, chunks, fate }] of documents.entries()) {
            const id = `d${index}`;
            const stored = chunks.map(({ headings, text }, position) =>
              newChunk(position, text, { heading_path: headings }),
            );
            const described = indexedDocument(id, { title });
            if (fate === 'is never published') {
              await store.add('c', await store.begin('c', described), stored);
              continue;
            }
            if (fate === 'is replaced') {
              await storeDocument(store, 'c', described, [...stored, newChunk(stored.length, 'whale 订单号 old')]);
            }
            await storeDocument(store, 'c', described, stored);
            if (fate === 'is removed') await store.remove('c', id);
            else
              for (const [position, chunk] of chunks.entries()) published.set(`${id}/${position}`, { title, ...chunk });
          }
          const { keyword } = await store.search('c', { text: query, limit: 1000 });
          const found = await named(store, keyword);
          const expected = rank(published, query);
          expect([...found.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
          for (const [name, score] of found) expect(score).toBeCloseTo(expected.get(name) as number, 9);
          const scores = keyword.map(({ score }) => score);
          expect(scores).toEqual(scores.toSorted((one, other) => other - one));
        });
      }),
      { numRuns: 25 },
    );
  });

  test('counts common terms only in the best candidates of the rare ones beyond the budget', async () => {
    const passages = Array.from({ length: 300 }, (_, index) => ({
      title: null,
      headings: [],
      text: `company ${'filling '.repeat(index % 7)}${index % 30 === 0 ? 'whale' : ''} ${index % 60 === 0 ? 'company' : ''}`,
    }));
    const ask = (limit: number) => async (store: ChunkStore) => {
      const chunks = passages.map(({ text }, position) => newChunk(position, text));
      await storeDocument(store, 'c', indexedDocument('d'), chunks);
      return named(store, (await store.search('c', { text: 'company whale', limit })).keyword);
    };
    const expected = rank(new Map(passages.map((passage, index) => [`d/${index}`, passage])), 'company whale');
    const best = [...expected].toSorted(([, one], [, other]) => other - one);
    const few = await withStore(ask(5), { postingBudget: 20 });
    expect(few.size).toBe(5);
    for (const [index, score] of [...few.values()].entries()) expect(score).toBeCloseTo(best[index]?.[1] as number, 9);
    // The rare word finds ten; for more, the common one is needed to find any.
    expect((await withStore(ask(40), { postingBudget: 20 })).size).toBe(40);
  });

  async function named(store: ChunkStore, hits: readonly ChunkHit[]): Promise<Map<string, number>> {
    const ids = hits.map(({ id }) => id);
    const chunks = await store.read('c', ids);
    expect(chunks).toHaveLength(ids.length);
    return new Map(
      chunks.map(({ document: { document_id }, position }, index) => [
        `${document_id}/${position}`,
        hits[index]?.score as number,
      ]),
    );
  }
});
