import type { NewChunk } from '@parley/sdk/internal';
import { fakeEmbedding, indexedDocument } from '@parley/sdk/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeChunkIndex, fakeChunkIndex } from './fake-chunk-index.ts';

let index: FakeChunkIndex;
beforeEach(async () => {
  index = fakeChunkIndex();
  await index.create('c', { language: 'english' });
});

const chunk = (text: string, over: Partial<NewChunk> = {}): NewChunk => ({
  position: 0,
  text,
  heading_path: [],
  page: null,
  page_end: null,
  start: 0,
  end: text.length,
  vector: fakeEmbedding(text),
  ...over,
});
async function store(id: string, chunks: NewChunk[], metadata: Record<string, string | number | boolean> = {}) {
  const edition = await index.begin('c', indexedDocument(id, { metadata }));
  await index.add('c', edition, chunks);
  await index.publish('c', edition);
}
const found = async (text: string, filters: Parameters<FakeChunkIndex['search']>[1]['filters'] = []) => {
  const { keyword } = await index.search('c', { text, limit: 10, filters });
  return (
    await index.read(
      'c',
      keyword.map(({ id }) => id),
    )
  ).map((hit) => hit.text);
};

describe('fakeChunkIndex', () => {
  it('shows published editions, and no abandoned ones', async () => {
    const edition = await index.begin('c', indexedDocument('a'));
    await index.add('c', edition, [chunk('whales sing')]);
    expect(await found('whales')).toEqual([]);
    expect(index.unpublished('c')).toBe(1);
    await index.publish('c', edition);
    expect(await found('whales')).toEqual(['whales sing']);
    const newer = await index.begin('c', indexedDocument('a'));
    await index.abandon('c', newer);
    await expect(index.publish('c', newer)).rejects.toMatchObject({ reason: 'not_found' });
    expect(await found('whales')).toEqual(['whales sing']);
    expect(index.unpublished('c')).toBe(0);
  });

  it('finds by keywords and by vectors, the most similar first', async () => {
    await store('a', [chunk('whales sing'), chunk('badgers dig', { position: 1 })]);
    const { keyword, vector } = await index.search('c', {
      text: 'sing',
      vector: fakeEmbedding('whales sing'),
      limit: 5,
    });
    expect(keyword).toHaveLength(1);
    expect(vector[0]?.id).toBe(keyword[0]?.id);
    expect(vector[0]?.score).toBeCloseTo(1);
    expect(vector[1]?.score).toBeLessThan(0.9);
  });

  it('filters by every operator', async () => {
    await store('a', [chunk('whales', { page: 2 })], { year: 2024, tag: 'x' });
    await store('b', [chunk('whales too', { page: 5 })], { year: 2026 });
    const passing = async (operator: '$gt' | '$gte' | '$lt' | '$lte' | '$eq' | '$ne', value: number) =>
      (await found('whales', [{ field: 'year', operator, value }])).length;
    expect(await passing('$gt', 2024)).toBe(1);
    expect(await passing('$gte', 2024)).toBe(2);
    expect(await passing('$lt', 2024)).toBe(0);
    expect(await passing('$lte', 2024)).toBe(1);
    expect(await passing('$eq', 2026)).toBe(1);
    expect(await passing('$ne', 2026)).toBe(1);
    expect(await found('whales', [{ field: 'tag', operator: '$in', value: ['x', 'y'] }])).toEqual(['whales']);
    expect(await found('whales', [{ field: 'page', operator: '$nin', value: [2] }])).toEqual(['whales too']);
    const unknown = found('whales', [{ field: 'colour', operator: '$eq', value: 1 }]);
    await expect(unknown).rejects.toMatchObject({ reason: 'invalid_request' });
  });

  it('refuses vectors of another length, and collections that are not there', async () => {
    await store('a', [chunk('whales')]);
    const other = new Float32Array(3);
    await expect(store('b', [chunk('x', { vector: other })])).rejects.toMatchObject({ reason: 'vector_dimensions' });
    await expect(index.search('c', { vector: other, limit: 1 })).rejects.toMatchObject({ reason: 'vector_dimensions' });
    await expect(index.begin('gone', indexedDocument('a'))).rejects.toMatchObject({ reason: 'not_found' });
    expect(await index.search('gone', { text: 'whales', limit: 1 })).toEqual({ keyword: [], vector: [] });
    expect(await index.statistics('gone')).toBeNull();
    expect(await index.statistics('c')).toEqual({ documents: 1, chunks: 1, dimensions: 64 });
  });
});
