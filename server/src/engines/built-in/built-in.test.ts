import { type Collection, ParleyError, type ParsedDocument, type RetrieveRequest } from '@parley/sdk';
import type { InternalEngineContext } from '@parley/sdk/internal';
import {
  type EngineContractOptions,
  engineContract,
  fakeEmbedding,
  fakeEngineContext,
  indexedDocument,
  parsedText,
} from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeChunkIndex, fakeChunkIndex } from '../../../test/factories/fake-chunk-index.ts';
import { builtIn } from './index.ts';

const model = '0190b0b0-0000-7000-8000-0000000000aa';

let chunks: FakeChunkIndex;
let context: InternalEngineContext;
const signal = new AbortController().signal;

function newContext(): InternalEngineContext {
  chunks = fakeChunkIndex();
  context = { ...fakeEngineContext(), chunks };
  return context;
}
beforeEach(() => void newContext());

const builtInContract = (options: Partial<EngineContractOptions> = {}) =>
  engineContract({ engine: builtIn, context: newContext, unpublished: (id) => chunks.unpublished(id), ...options });
describe('by keywords', () => builtInContract());
describe('with an embedding model', () => builtInContract({ settings: () => ({ embedding_model_uuid: model }) }));
describe('by meaning alone, with neighbours', () =>
  builtInContract({
    settings: () => ({ embedding_model_uuid: model, chunk_size: 300, chunk_overlap: 0 }),
    retrievalSettings: { search_type: 'vector', neighbours: 1 },
  }));
describe('with a rerank model', () => builtInContract({ retrievalSettings: { rerank_model_uuid: model } }));

const collectionWith = (settings: object = {}): Collection => ({
  collection_id: 'c',
  knowledge_base_uuid: 'base',
  settings: { ...(Default(builtIn.creationSchema, {}) as object), ...settings },
});
const ingest = (collection: Collection, id: string, parsed: ParsedDocument, over: object = {}) =>
  builtIn.ingest(
    {
      collection,
      document: indexedDocument(id),
      parsed,
      content: async function* () {},
      progress: () => undefined,
      signal,
      ...over,
    },
    context,
  );
const retrieve = (collection: Collection, query: string, settings: object = {}, over: Partial<RetrieveRequest> = {}) =>
  builtIn.retrieve(
    {
      collection,
      query,
      filters: [],
      signal,
      settings: { ...(Default(builtIn.retrievalSchema, {}) as object), ...settings } as RetrieveRequest['settings'],
      ...over,
    },
    context,
  );
const numbered = (count: number) =>
  Array.from(
    { length: count },
    (_, place) => `Fact ${place} concerns the letter ${'abcdefghijklmnopqrstuvwxyz'[place % 26]}${place}.`,
  );
const small = { chunk_size: 200, chunk_overlap: 0 };

describe('settings', () => {
  it('whose overlap is more than half of a chunk are refused', async () => {
    const attempt = builtIn.open(collectionWith({ chunk_size: 400, chunk_overlap: 201 }), context);
    await expect(attempt).rejects.toMatchObject({ reason: 'invalid_request', details: [{ path: 'chunk_overlap' }] });
    expect(chunks.collections()).toEqual([]);
  });

  it('tell the index the language', async () => {
    const create = vi.spyOn(chunks, 'create');
    await builtIn.open(collectionWith({ language: 'german' }), context);
    expect(create).toHaveBeenCalledWith('c', { language: 'german' });
  });
});

describe('storing a document', () => {
  it('embeds chunks with their headings, a few hundred at once', async () => {
    const collection = collectionWith({ ...small, embedding_model_uuid: model });
    await builtIn.open(collection, context);
    const embed = vi.spyOn(context, 'embed');
    const add = vi.spyOn(chunks, 'add');
    const document = { ...indexedDocument('a'), title: 'Handbook' };
    const facts = parsedText(numbered(2000).join(' '));
    const parsed: ParsedDocument = {
      ...facts,
      blocks: [{ type: 'heading', level: 1, text: 'Letters' }, ...facts.blocks],
    };
    const stored = await ingest(collection, 'a', parsed, { document });
    expect(stored?.chunks).toBeGreaterThan(256);
    expect(embed.mock.calls.length).toBeGreaterThan(1);
    for (const [uuid, texts, options] of embed.mock.calls) {
      expect(texts.length).toBeLessThanOrEqual(256);
      expect(uuid).toBe(model);
      expect(options).toMatchObject({ knowledge_base_uuid: 'base', purpose: 'document' });
    }
    expect(embed.mock.calls[1]?.[1][0]).toMatch(/^Handbook > Letters\n\nFact /);
    for (const [, , added] of add.mock.calls) {
      expect(added.every(({ vector, text }) => vector !== null && !text.startsWith('Handbook'))).toBe(true);
    }
    expect(await chunks.statistics('c')).toMatchObject({ documents: 1, chunks: stored?.chunks, dimensions: 64 });
  });

  it('leaves nothing when the model fails half-way, and reports why', async () => {
    const collection = collectionWith({ ...small, embedding_model_uuid: model });
    await builtIn.open(collection, context);
    let calls = 0;
    context.embed = async (_, texts) => {
      calls += 1;
      if (calls === 2) throw new ParleyError('quota', 'No more for now');
      return texts.map(fakeEmbedding);
    };
    await expect(ingest(collection, 'a', parsedText(numbered(3000).join(' ')))).rejects.toMatchObject({
      reason: 'quota',
    });
    expect(calls).toBe(2);
    expect(chunks.unpublished('c')).toBe(0);
    expect(await chunks.statistics('c')).toMatchObject({ documents: 0, chunks: 0 });
  });

  it('reports why it failed even when its cleanup fails', async () => {
    const collection = collectionWith({ embedding_model_uuid: model });
    await builtIn.open(collection, context);
    const error = vi.fn();
    context.logger = { ...context.logger, error };
    context.embed = () => Promise.reject(new ParleyError('provider_timeout', 'Too slow'));
    vi.spyOn(chunks, 'abandon').mockRejectedValue(new Error('disk full'));
    await expect(ingest(collection, 'a', parsedText('A text.'))).rejects.toMatchObject({ reason: 'provider_timeout' });
    expect(error).toHaveBeenCalledOnce();
  });

  it('yields to other work while a long document is split', async () => {
    const collection = collectionWith();
    await builtIn.open(collection, context);
    const steps: string[] = [];
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const text = 'The tide came in and nobody was surprised at all. '.repeat(100_000);
    await ingest(collection, 'a', parsedText(text), { progress: (stage: string) => void steps.push(stage) });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
    expect(steps).toContain('chunking');
  });

  it('needs a collection', async () => {
    await expect(ingest(collectionWith(), 'a', parsedText('A text.'))).rejects.toMatchObject({ reason: 'not_found' });
  });
});

describe('finding passages', () => {
  it('fuses keyword and vector results by rank', async () => {
    const collection = collectionWith({ embedding_model_uuid: model });
    await builtIn.open(collection, context);
    for (const [place, text] of numbered(5).entries()) await ingest(collection, `d${place}`, parsedText(text));
    const search = vi.spyOn(chunks, 'search');
    const found = await retrieve(collection, 'Fact 2 concerns the letter c2.');
    expect(search.mock.calls[0]?.[1]).toMatchObject({ limit: 50, text: 'Fact 2 concerns the letter c2.' });
    expect(found[0]).toMatchObject({ legs: { keyword: { rank: 1 }, vector: { rank: 1 } }, score: 1 });
    expect(found[0]?.distance).toBeCloseTo(1 - (found[0]?.legs.vector?.score ?? 0));
    expect(found[0]?.metadata).toEqual({});
    await retrieve(collection, 'c2', { search_type: 'vector', top_k: 20 });
    expect(search.mock.calls[1]?.[1]).toMatchObject({ limit: 80 });
    expect(search.mock.calls[1]?.[1]).not.toHaveProperty('text');
    await retrieve(collection, 'c2', { search_type: 'keyword' });
    expect(search.mock.calls[2]?.[1]).not.toHaveProperty('vector');
  });

  it('searches by keywords without a model, whatever the settings', async () => {
    const collection = collectionWith();
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText('Whales sing.'));
    for (const search_type of ['hybrid', 'vector', 'keyword']) {
      const [first] = await retrieve(collection, 'whales', { search_type });
      expect(first).toMatchObject({ text: 'Whales sing.', score: 1, distance: 0, legs: { keyword: { rank: 1 } } });
      expect(first?.legs).not.toHaveProperty('vector');
    }
  });

  it('searches only by keywords when the model fails, with a note', async () => {
    const collection = collectionWith({ embedding_model_uuid: model });
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText('Whales sing.'));
    for (const [embed, reason] of [
      [() => Promise.reject(new ParleyError('quota', 'No more for now')), 'quota'],
      [async () => [new Float32Array(3)], 'vector_dimensions'],
    ] as const) {
      context.embed = embed;
      const [first] = await retrieve(collection, 'whales', { search_type: 'vector' });
      expect(first).toMatchObject({ text: 'Whales sing.', metadata: { keyword_only: reason } });
    }
  });

  it('does not hide internal errors, nor invalid queries', async () => {
    const collection = collectionWith({ embedding_model_uuid: model });
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText('Whales sing.'));
    const filters = [{ field: 'colour', operator: '$eq' as const, value: 'red' }];
    await expect(retrieve(collection, 'whales', {}, { filters })).rejects.toMatchObject({ reason: 'invalid_request' });
    context.embed = () => Promise.reject(new TypeError('a fault of a program'));
    await expect(retrieve(collection, 'whales')).rejects.toThrow('a fault of a program');
  });

  it('passes the origin of the query on, for records', async () => {
    const collection = collectionWith({ embedding_model_uuid: model });
    await builtIn.open(collection, context);
    const embed = vi.spyOn(context, 'embed');
    const asked_by = { session_id: 'person_1', message_uuid: 'm' };
    await retrieve(collection, 'whales', {}, { asked_by });
    expect(embed).toHaveBeenCalledWith(model, ['whales'], {
      knowledge_base_uuid: 'base',
      purpose: 'query',
      signal,
      asked_by,
    });
  });

  it('takes the order of a rerank model, and keeps its own when that fails', async () => {
    const collection = collectionWith();
    await builtIn.open(collection, context);
    for (const text of ['Whales sing.', 'Whales sing whales whales.', 'Whales dive deep.']) {
      await ingest(collection, text, parsedText(text));
    }
    context.rerank = async (_, __, texts) => [{ index: texts.indexOf('Whales dive deep.'), score: 4 }];
    const found = await retrieve(collection, 'whales', { rerank_model_uuid: model });
    expect(found.map(({ text }) => text)).toContain('Whales sing.');
    expect(found[0]).toMatchObject({ text: 'Whales dive deep.', legs: { rerank: { rank: 1, score: 4 } } });
    expect(found[0]?.score).toBeCloseTo(0.982, 2);
    expect(await retrieve(collection, 'whales', { rerank_model_uuid: model, score_threshold: 0.5 })).toHaveLength(1);

    context.rerank = () => Promise.reject(new ParleyError('provider_failed', 'Out of order'));
    const fallen = await retrieve(collection, 'whales', { rerank_model_uuid: model });
    expect(fallen).toHaveLength(3);
    expect(fallen[0]?.metadata).toEqual({ not_reranked: 'provider_failed' });
  });

  it('omits results below the threshold', async () => {
    const collection = collectionWith();
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText('Whales sing loud songs.'));
    await ingest(collection, 'b', parsedText('Nobody sings songs here.'));
    expect(await retrieve(collection, 'loud songs', { score_threshold: 0 })).toHaveLength(2);
    const found = await retrieve(collection, 'loud songs', { score_threshold: 0.9 });
    expect(found.map(({ text }) => text)).toEqual(['Whales sing loud songs.']);
  });

  it('adds neighbours of the same document, without overlaps', async () => {
    const text = numbered(40).join(' ');
    const collection = collectionWith({ chunk_size: 200, chunk_overlap: 80 });
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText(text));
    await ingest(collection, 'b', parsedText('Another document.'));
    const plain = (await retrieve(collection, 'u20', { top_k: 1 }))[0];
    expect(plain?.text).toBe(text.slice(plain?.source?.start, plain?.source?.end));
    for (const neighbours of [1, 2, 3]) {
      const [found] = await retrieve(collection, 'u20', { top_k: 1, neighbours });
      expect(found?.text).toBe(text.slice(found?.source?.start, found?.source?.end));
      expect(found?.text).toContain(plain?.text);
      expect(found?.text.length).toBeGreaterThan((plain?.text.length ?? 0) + 120 * neighbours);
      expect(found?.source?.document_id).toBe('a');
    }
    const [edge] = await retrieve(collection, 'another', { top_k: 1, neighbours: 3 });
    expect(edge?.text).toBe('Another document.');
  });

  it('finds nothing twice: chunks of a better passage are part of it', async () => {
    const text = numbered(60).join(' ');
    const collection = collectionWith({ chunk_size: 200, chunk_overlap: 80 });
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText(text));
    for (const neighbours of [0, 1, 2]) {
      const found = await retrieve(collection, 'fact letter', { top_k: 50, neighbours });
      const passages = found.flatMap(({ source }) => source ?? []).sort((left, right) => left.start - right.start);
      expect(passages.length).toBeGreaterThan(1);
      for (const [place, { start, end }] of passages.entries()) {
        // The overlap of two chunks is the most that passages share.
        expect(start).toBeGreaterThanOrEqual((passages[place - 1]?.end ?? 0) - 80);
        expect(end - start).toBeLessThanOrEqual(200 * (2 * neighbours + 2));
      }
      expect(passages[0]?.start).toBe(0);
      expect(passages.at(-1)?.end).toBe(text.length);
    }
  });

  it('joins the rows of a divided table below one head', async () => {
    const rows = [['Port', 'Tide'], ...numbered(30).map((fact, row) => [fact, `${row} metres`])];
    const collection = collectionWith(small);
    await builtIn.open(collection, context);
    const table = { type: 'table' as const, head: true, rows };
    await ingest(collection, 'a', { ...parsedText(''), blocks: [table] });
    const [found] = await retrieve(collection, 'p15', { top_k: 1, neighbours: 2 });
    expect(found?.text.match(/Port \| Tide/g)).toHaveLength(1);
    expect(found?.text).toMatch(/^Port \| Tide\n(Fact \d+ concerns the letter \w+\. \| \d+ metres\n?)+$/);
  });

  it('skips chunks that are removed during the search', async () => {
    const collection = collectionWith();
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText('Whales sing.'));
    await ingest(collection, 'b', parsedText('Whales dive.'));
    const { search } = chunks;
    chunks.search = async (...given) => {
      const found = await search(...given);
      await chunks.remove('c', 'a');
      return found;
    };
    expect((await retrieve(collection, 'whales')).map(({ text }) => text)).toEqual(['Whales dive.']);
  });

  it('looks again when a document was replaced while it looked', async () => {
    const collection = collectionWith();
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText('Whales sing.'));
    const { search } = chunks;
    chunks.search = async (...given) => {
      chunks.search = search;
      const found = await search(...given);
      await ingest(collection, 'a', parsedText('Whales hum.'));
      return found;
    };
    expect((await retrieve(collection, 'whales')).map(({ text }) => text)).toEqual(['Whales hum.']);
  });

  it('takes no neighbours from a newer edition of a document', async () => {
    const collection = collectionWith(small);
    await builtIn.open(collection, context);
    await ingest(collection, 'a', parsedText(numbered(20).join(' ')));
    const { list } = chunks;
    chunks.list = async (...given) => {
      chunks.list = list;
      await ingest(collection, 'a', parsedText(`Newer. ${numbered(20).join(' ')}`));
      return list(...given);
    };
    const [found] = await retrieve(collection, 'k10', { top_k: 1, neighbours: 3 });
    expect(found?.text).not.toContain('Newer');
    expect(found?.text.length).toBeLessThanOrEqual(200);
  });
});
