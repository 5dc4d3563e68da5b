import type { KnowledgeEngine, KnowledgeEngineContext } from '@parley/sdk';
import { expect, it, vi } from 'vitest';
import { contributingPlugin } from '../../../../test/factories/contributing-plugin.ts';
import type { ScriptedPlugin } from '../../../../test/factories/scripted-plugins.ts';
import { enginesOf } from './plugin-engine.ts';

const text = { en_US: 'Units' };
/** What a plugin asks the server for, it asks through its host. */
const context = {} as KnowledgeEngineContext;
const settings = { type: 'object' as const, properties: {} };
const collection = { collection_id: 'c', knowledge_base_uuid: 'b', settings: {} };
const passage = {
  id: 'p',
  text: 'A metre',
  distance: 0.5,
  score: null,
  metadata: { page: 1 },
  source: {
    document_id: 'd',
    file_id: 'f',
    file_name: 'a.txt',
    page: null,
    page_end: null,
    heading_path: ['Units'],
    start: 0,
    end: 7,
  },
  legs: { vector: { rank: 1, score: 0.5 } },
};

function set(
  answers: ScriptedPlugin['answers'],
  capabilities: ('doc_ingestion' | 'doc_parsing')[] = ['doc_ingestion'],
) {
  const declared = {
    label: text,
    description: text,
    capabilities,
    creation_schema: settings,
    retrieval_schema: settings,
  };
  const used = contributingPlugin({ engines: [declared] }, answers);
  const [engine] = enginesOf(used.plugin, used.calls);
  if (engine === undefined) throw new Error('there is one');
  const signal = new AbortController().signal;
  const retrieve = (top_k = 5) =>
    engine.retrieve({ collection, query: 'metre', settings: { top_k }, filters: [], signal } as never, context);
  return { ...used, engine, retrieve, signal };
}

it('an engine opens and drops collections', async () => {
  const { engine, requests } = set(() => null);
  await engine.open(collection as never, context);
  await engine.drop(collection as never, context);
  await engine.remove?.(collection as never, 'd', context);
  expect(requests.map(({ method, parameters }) => [method, parameters])).toEqual([
    ['engine_open', { collection }],
    ['engine_drop', { collection }],
    ['engine_remove', { collection, document_id: 'd' }],
  ]);
});

it('an engine without documents takes none', () => {
  const { engine } = set(() => null, []);
  expect([engine.ingest, engine.remove]).toEqual([undefined, undefined]);
});

const ingestion = (over: object) =>
  ({ collection, document: { id: 'd' }, progress: () => undefined, ...over }) as unknown as Parameters<
    NonNullable<KnowledgeEngine['ingest']>
  >[0];

it('an engine that parses reads the file, one that does not gets the document', async () => {
  const read: string[] = [];
  const { engine, requests, signal } = set(async ({ bytes }) => {
    for await (const chunk of bytes ?? []) read.push(Buffer.from(chunk).toString());
    return { chunks: 2 };
  });
  const content = vi.fn(async function* () {
    yield Buffer.from('file');
  });
  expect(await engine.ingest?.(ingestion({ parsed: null, content, signal }), context)).toEqual({ chunks: 2 });
  expect(await engine.ingest?.(ingestion({ parsed: { title: 'a' }, content, signal }), context)).toEqual({ chunks: 2 });
  expect(read).toEqual(['file']);
  expect(content).toHaveBeenCalledOnce();
  expect(requests.map(({ parameters }) => (parameters as { parsed?: unknown }).parsed)).toEqual([null, { title: 'a' }]);
});

it('progress of an engine is passed on where it is progress', async () => {
  const progress = vi.fn();
  const { engine, signal } = set(({ host }) => {
    host.notify?.('progress', { stage: 'chunking', done: 1, total: 2 });
    for (const given of [{ done: 1, total: 2 }, { stage: 'x', done: 1, total: 2 }, { stage: 'embedding' }, null]) {
      host.notify?.('progress', given);
    }
    return { chunks: 0 };
  });
  await engine.ingest?.(ingestion({ parsed: {}, progress, signal }), context);
  expect(progress.mock.calls).toEqual([['chunking', 1, 2]]);
});

it.each([undefined, null, {}, { chunks: -1 }, { chunks: 1.5 }, { chunks: '1' }, { chunks: 1, more: 1 }])(
  'an engine that stored %j chunks is refused',
  async (result) => {
    const { engine, signal } = set(() => result);
    await expect(engine.ingest?.(ingestion({ parsed: {}, signal }), context)).rejects.toMatchObject({
      reason: 'plugin_response_invalid',
    });
  },
);

it('an engine finds passages, as many as were asked for', async () => {
  const { retrieve, requests } = set(() => [passage, { ...passage, id: 'q', source: null }, { ...passage, id: 'r' }]);
  expect((await retrieve(2)).map(({ id }) => id)).toEqual(['p', 'q']);
  expect(requests).toMatchObject([
    { method: 'engine_retrieve', parameters: { query: 'metre', settings: { top_k: 2 } } },
  ]);
});

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['no list', passage],
  ['a passage without a text', [{ ...passage, text: undefined }]],
  ['a distance below zero', [{ ...passage, distance: -1 }]],
  ['a distance that is no number', [{ ...passage, distance: Number.NaN }]],
  ['an empty id', [{ ...passage, id: '' }]],
  ['a source that lacks its file', [{ ...passage, source: { ...passage.source, file_id: undefined } }]],
  ['page 0', [{ ...passage, source: { ...passage.source, page: 0 } }]],
  ['a leg of its own', [{ ...passage, legs: { magic: { rank: 1, score: 1 } } }]],
  ['another field', [{ ...passage, html: '<b>' }]],
  ['1,001 passages', Array.from({ length: 1001 }, () => passage)],
])('an engine that finds %s is refused', async (_, found) => {
  await expect(set(() => found).retrieve()).rejects.toMatchObject({ reason: 'plugin_response_invalid' });
});

it('an engine is called no more once its plugin is disabled', async () => {
  const { retrieve, disable, requests } = set(() => []);
  disable();
  await expect(retrieve()).rejects.toMatchObject({ reason: 'plugin_not_running' });
  expect(requests).toEqual([]);
});
