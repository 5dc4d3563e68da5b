import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenKnowledge, openKnowledge } from '../../../test/stores/knowledge-fixture.ts';
import { now } from '../../lib/clock.ts';
import type { ChunkStore, KnownDocuments } from './chunk-store.ts';

const patience = { timeout: 30_000 };

describe('a start after the process ended', () => {
  let knowledge: OpenKnowledge;
  const calls: string[] = [];
  let swept: ReadonlyMap<string, KnownDocuments> = new Map();
  /** Reports the content of the test's engine, as if it were in the service's store. */
  const chunks: Partial<ChunkStore> = {
    sweep: async (read) => {
      calls.push('sweep');
      swept = await read();
      return 0;
    },
    documents: async (collectionId) => {
      const texts = knowledge.held.get(collectionId);
      return new Map([...(texts ?? [])].map(([uuid, text]) => [uuid, text.split('\n').length]));
    },
    statistics: async (collectionId) => {
      calls.push('statistics');
      return knowledge.held.has(collectionId) ? { documents: 0, chunks: 0, dimensions: null } : null;
    },
  };
  beforeEach(async () => {
    calls.length = 0;
    knowledge = await openKnowledge({ chunks });
    await knowledge.service.start();
  });
  afterEach(() => knowledge.close());

  it('does not touch the store of chunks while there are no bases', async () => {
    await knowledge.restart();
    expect(calls).toEqual([]);
  });

  it('removes orphans before anything is stored', async () => {
    const base = await knowledge.base({ 'a.txt': 'one' });
    const documents = await knowledge.service.documents.list(base);
    const { collection_id } = await knowledge.service.knowledgeBases.get(base);
    await knowledge.restart();
    expect(swept).toEqual(
      new Map([[collection_id, { stored: new Set(documents.map(({ uuid }) => uuid)), claimed: new Set() }]]),
    );
    // One whose base was never made, or is gone.
    await knowledge.service.stop();
    await knowledge.service.bases.delete(base, now());
    await knowledge.restart();
    expect(swept).toEqual(new Map());
    await expect.poll(() => knowledge.held.size, patience).toBe(0);
  });

  it('re-indexes lost chunks, of one document or of all', async () => {
    const base = await knowledge.base({ 'a.txt': 'one', 'b.txt': 'two\nlines' });
    const { collection_id } = await knowledge.service.knowledgeBases.get(base);
    const texts = () => [...(knowledge.held.get(collection_id)?.values() ?? [])].sort();
    const documents = await knowledge.service.documents.list(base);
    knowledge.held.get(collection_id)?.delete(documents[0]?.uuid ?? '');
    await knowledge.restart();
    await expect.poll(texts, patience).toEqual(['one', 'two\nlines']);
    knowledge.held.get(collection_id)?.set(documents[1]?.uuid ?? '', 'half');
    await knowledge.restart();
    await expect.poll(texts, patience).toEqual(['one', 'two\nlines']);
    knowledge.held.clear();
    await knowledge.restart();
    await expect.poll(texts, patience).toEqual(['one', 'two\nlines']);
    await expect
      .poll(async () => (await knowledge.service.documents.list(base)).map(({ stage }) => stage), patience)
      .toEqual(['ready', 'ready']);
  });

  it('ignores engines with external storage, and continues without the chunk store', async () => {
    const base = await knowledge.base({ 'a.txt': 'one' });
    const elsewhere = { ...chunks, documents: async () => new Map(), statistics: async () => null };
    await knowledge.restart({ chunks: elsewhere });
    expect(await knowledge.service.documents.list(base)).toMatchObject([{ stage: 'ready', attempts: 1 }]);
    const broken = { sweep: () => Promise.reject(new Error('the file is damaged')) };
    await knowledge.restart({ chunks: broken });
    const { signal } = new AbortController();
    expect(await knowledge.service.retrieval.retrieve(base, 'one', { signal })).toHaveLength(1);
  });
});
