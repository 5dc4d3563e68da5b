import type { RetrievalFilter, RetrieveRequest } from '@parley/sdk';
import { engineContract, fakeEngineContext } from '@parley/sdk/testing';
import { Default } from 'typebox/value';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../../kit/guarded-fetch.ts';
import { type FakeFault, startFakeService } from '../../kit/services/testing/fake-service.ts';
import { httpRetrieval } from './index.ts';
import { type FakeRetrievalService, startFakeRetrievalService } from './testing/fake-retrieval-service.ts';

const key = 'sk-retrieval-0123456789abcdef';
let service: FakeRetrievalService;

beforeAll(async () => {
  service = await startFakeRetrievalService(key);
});
afterEach(() => service.respond());
afterAll(() => service.close());

const settings = () => ({ address: `${service.url}/v1`, api_key: key, knowledge_id: 'books' });

engineContract({
  engine: httpRetrieval,
  settings,
  context: () => fakeEngineContext({ fetch: createGuardedFetch({ policy: 'saved' }) }),
  keep: (texts) => void service.knowledge.set('books', texts),
  brokenSettings: () => ({ ...settings(), address: '' }),
});

const context = fakeEngineContext();
const collectionWith = (over: object = {}) => ({
  collection_id: 'c',
  knowledge_base_uuid: 'base',
  settings: { ...settings(), ...over },
});
const retrieve = (
  query: string,
  over: { creation?: object; retrieval?: object; filters?: RetrievalFilter[]; signal?: AbortSignal } = {},
) =>
  httpRetrieval.retrieve(
    {
      collection: collectionWith(over.creation),
      query,
      settings: { ...(Default(httpRetrieval.retrievalSchema, {}) as RetrieveRequest['settings']), ...over.retrieval },
      filters: over.filters ?? [],
      signal: over.signal ?? new AbortController().signal,
    },
    context,
  );
const record = (over: object = {}) => ({
  content: 'Whales sing.',
  score: 0.5,
  title: 'whales.txt',
  metadata: {},
  ...over,
});

describe('settings', () => {
  it.each([
    [{ address: '' }, 'address'],
    [{ address: 'ftp://a.example' }, 'address'],
    [{ address: 'http://me:secret@a.example' }, 'address'],
    [{ knowledge_id: ' ' }, 'knowledge_id'],
  ])('without which nothing is found are refused: %j', async (over, path) => {
    const refusal = { reason: 'invalid_request', details: [{ path }] };
    await expect(httpRetrieval.open(collectionWith(over), context)).rejects.toMatchObject(refusal);
    await expect(retrieve('whales', { creation: over })).rejects.toMatchObject(refusal);
  });

  it.each(['/v1', '/v1/', '/v1/retrieval', '/v1/retrieval/'])('may end as they like: %s', async (path) => {
    service.respond([record()]);
    expect(await retrieve('whales', { creation: { address: ` ${service.url}${path} ` } })).toHaveLength(1);
  });
});

describe('a question', () => {
  it('is sent as services of this kind know it', async () => {
    service.respond([]);
    await retrieve('whales', { retrieval: { top_k: 7, score_threshold: 0.25 } });
    expect(service.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/retrieval',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      json: { knowledge_id: 'books', query: 'whales', retrieval_setting: { top_k: 7, score_threshold: 0.25 } },
    });
    expect(service.requests.at(-1)?.json).not.toHaveProperty('metadata_condition');
  });

  it('goes without a key where there is none', async () => {
    await expect(retrieve('whales', { creation: { api_key: '' } })).rejects.toMatchObject({
      reason: 'provider_unauthorized',
    });
    expect(service.requests.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  it('has its filters turned into conditions', async () => {
    service.respond([]);
    await retrieve('whales', {
      filters: [
        { field: 'author', operator: '$eq', value: 'Ada' },
        { field: 'year', operator: '$gte', value: 1840 },
        { field: 'is_public', operator: '$ne', value: false },
        { field: 'created_at', operator: '$lt', value: '2026-01-01T00:00:00Z' },
        { field: 'tag', operator: '$nin', value: ['a', 1] },
      ],
    });
    expect(service.requests.at(-1)?.json.metadata_condition).toEqual({
      logical_operator: 'and',
      conditions: [
        { name: 'author', comparison_operator: 'is', value: 'Ada' },
        { name: 'year', comparison_operator: '≥', value: 1840 },
        { name: 'is_public', comparison_operator: 'is not', value: 'false' },
        { name: 'created_at', comparison_operator: 'before', value: '2026-01-01T00:00:00Z' },
        { name: 'tag', comparison_operator: 'not in', value: ['a', '1'] },
      ],
    });
  });

  it('is rejected with an unsupported filter', async () => {
    const before = service.requests.length;
    const filters: RetrievalFilter[] = [{ field: 'author', operator: '$gt', value: 'Ada' }];
    await expect(retrieve('whales', { filters })).rejects.toMatchObject({ reason: 'invalid_request' });
    expect(service.requests).toHaveLength(before);
  });
});

describe('records', () => {
  it('become passages, best first', async () => {
    service.respond([
      record({ score: 0.2, content: ' Low. ' }),
      record({ score: 0.9, content: 'High.', metadata: { page: 3 } }),
      record({ score: 1.5, content: 'Beyond.', title: '' }),
    ]);
    const found = await retrieve('whales', { retrieval: { top_k: 2 } });
    expect(found).toEqual([
      {
        id: expect.stringMatching(/^\w{32}$/),
        text: 'Beyond.',
        score: 1.5,
        distance: 0,
        source: null,
        legs: {},
        metadata: {},
      },
      expect.objectContaining({ text: 'High.', score: 0.9, metadata: { page: 3, title: 'whales.txt' } }),
    ]);
    expect(found[1]?.distance).toBeCloseTo(0.1);
    expect(await retrieve('whales', { retrieval: { score_threshold: 0.95 } })).toHaveLength(1);
  });

  it('that hold anything else do no harm', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`);
    service.respond([
      null,
      'text',
      [],
      {},
      record({ content: 7 }),
      record({ content: ' \n' }),
      record({ content: 'Twice.' }),
      record({ content: 'Twice.' }),
      record({ content: 'No score.', score: 'high', metadata: null }),
      record({ content: 'Deep.', score: 0.4, metadata: deep }),
      record({ content: 'Large.', score: 0.3, metadata: { a: 'x'.repeat(30_000) }, title: 'x'.repeat(1000) }),
      record({ content: `Strange \u0000 \ud800 ${'🦡'.repeat(30_000)}`, score: 0.2, title: 5 }),
    ]);
    const found = await retrieve('whales', { retrieval: { top_k: 50 } });
    expect(found.map(({ text }) => text.slice(0, 9))).toEqual([
      'Twice.',
      'Deep.',
      'Large.',
      'Strange \ufffd',
      'No score.',
    ]);
    expect(found.map(({ score }) => score)).toEqual([0.5, 0.4, 0.3, 0.2, null]);
    expect(found[1]?.metadata).toEqual({ title: 'whales.txt' });
    expect(found[2]?.metadata).toEqual({ title: 'x'.repeat(500) });
    expect(found[3]?.text.length).toBeLessThanOrEqual(50_000);
    expect(found[3]?.text.isWellFormed()).toBe(true);
  });
});

describe('a fault of the service', () => {
  const huge = `{"records": [{"content": "${'x'.repeat(5_000_000)}"}]}`;
  const faults: [string, FakeFault, string][] = [
    [
      'an unknown knowledge',
      { kind: 'answer', status: 404, body: '{"error_code": 2001, "error_msg": "No such thing"}' },
      'provider_failed',
    ],
    [
      'a refused key, whatever its status',
      { kind: 'answer', status: 500, body: '{"error_code": 1001, "error_msg": "No"}' },
      'provider_unauthorized',
    ],
    [
      'an error in a good answer',
      { kind: 'answer', status: 200, body: '{"error_code": 2001, "error_msg": "No such thing"}' },
      'provider_failed',
    ],
    [
      'a refused key in a good answer',
      { kind: 'answer', status: 200, body: '{"error_code": 1002}' },
      'provider_unauthorized',
    ],
    ['a rate limit', { kind: 'answer', status: 429, headers: { 'retry-after': '7' } }, 'quota'],
    [
      'another address',
      { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'provider_failed',
    ],
    ['no JSON', { kind: 'answer', status: 200, body: '<html>' }, 'provider_failed'],
    ['no records', { kind: 'answer', status: 200, body: '{"records": {}}' }, 'provider_failed'],
    ['a list', { kind: 'answer', status: 200, body: '[]' }, 'provider_failed'],
    ['an answer that is too long', { kind: 'answer', status: 200, body: huge }, 'provider_failed'],
    [
      'an answer without end',
      { kind: 'stream', type: 'application/json', pieces: ['[', ' '.repeat(1000)], ending: 'on and on' },
      'provider_failed',
    ],
    [
      'an answer that breaks off',
      { kind: 'stream', type: 'application/json', pieces: ['{"rec'], ending: 'cut' },
      'provider_failed',
    ],
    ['silence', { kind: 'silence' }, 'provider_timeout'],
    [
      'silence half-way',
      { kind: 'stream', type: 'application/json', pieces: ['{"rec'], ending: 'silence' },
      'provider_timeout',
    ],
  ];

  it.each(faults)('is reported: %s', async (_, fault, reason) => {
    service.meet(fault);
    const timeout = reason === 'provider_timeout' ? 1 : 30;
    const error = await retrieve('whales', { retrieval: { timeout } }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ParleyError', reason });
    expect(`${(error as Error).message} ${(error as Error).stack}`).not.toContain(key);
  });

  it('is reported with its own message, without the key', async () => {
    service.meet({ kind: 'answer', status: 404, body: JSON.stringify({ error_code: 2001, error_msg: `No ${key}` }) });
    await expect(retrieve('whales')).rejects.toThrow(/^The retrieval service answered 404: No (?!sk-)/);
  });

  it('is reported: connection refused', async () => {
    const gone = await startFakeService(() => undefined);
    await gone.close();
    const attempt = retrieve('whales', { creation: { address: gone.url } });
    await expect(attempt).rejects.toMatchObject({ reason: 'provider_unreachable' });
  });

  it('need not be waited for', async () => {
    service.meet({ kind: 'silence' });
    const controller = new AbortController();
    const reason = new Error('aborted');
    const before = service.requests.length;
    const attempt = retrieve('whales', { signal: controller.signal });
    while (service.requests.length === before) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await expect(attempt).rejects.toBe(reason);
    await service.requests.at(-1)?.closed;
  });
});
