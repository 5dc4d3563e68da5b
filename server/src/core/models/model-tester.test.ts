import { type ModelKind, type ModelRequester, ParleyError } from '@parley/sdk';
import { fakeEmbeddingModel, fakeLanguageModel, fakeRerankingModel, silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServices, openModelServices } from '../../../test/factories/model-services.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { EmbeddingCall } from '../monitoring/embedding-call.ts';
import type { TestModel } from './model-test.ts';
import { ModelTester } from './model-tester.ts';

const key = 'sk-0123456789abcdefwxyz';
const kinds: ModelKind[] = ['llm', 'text-embedding', 'rerank'];
const remote = { requester: 'remote', base_url: 'https://a.example/v1', api_keys: [key] };

/** The model that the requester `odd` opens, replaced by each test. */
let odd: Pick<ModelRequester, 'languageModel' | 'embeddingModel' | 'rerankingModel'>;
let services: ModelServices;
let tester: ModelTester;
let recorded: EmbeddingCall[];
let recordFails: boolean;
const options = () => ({
  calls: {
    record: async (call: EmbeddingCall) => {
      if (recordFails) throw new Error('the disk is full');
      recorded.push(call);
    },
  },
  logger: silentLogger,
});

beforeEach(async () => {
  odd = {};
  recorded = [];
  recordFails = false;
  services = await openModelServices([
    {
      name: 'odd',
      label: { en_US: 'odd' },
      description: { en_US: 'odd' },
      category: 'maas',
      support_type: kinds,
      default_base_url: 'https://odd.example',
      get languageModel() {
        return odd.languageModel as Required<ModelRequester>['languageModel'];
      },
      get embeddingModel() {
        return odd.embeddingModel as Required<ModelRequester>['embeddingModel'];
      },
      get rerankingModel() {
        return odd.rerankingModel as Required<ModelRequester>['rerankingModel'];
      },
    },
  ]);
  tester = new ModelTester(services.store, services.providers, services.opener, {
    ...options(),
    timeoutMs: 300,
  });
});
afterEach(() => services.close());

const test = (kind: ModelKind, uuid: string, request: TestModel = {}, signal = new AbortController().signal) =>
  tester.test(kind, uuid, request, { signal });
const answers = {
  llm: { usage: { input_tokens: 1, output_tokens: 3 } },
  'text-embedding': { dimension: 3 },
  rerank: {},
};
const provider = { requester: 'odd', base_url: 'https://odd.example' };
const testOdd = (kind: ModelKind, models: typeof odd, signal?: AbortSignal) => {
  odd = models;
  return test(kind, '_', { name: 'm', provider }, signal);
};

describe.each(kinds)('a test of a model of the kind %s', (kind) => {
  it('calls a stored one as it is stored, or with other arguments', async () => {
    const uuid = await services.models[kind].create({ name: 'large', provider: remote, extra_args: { a: 1 } });
    const before = await services.models[kind].get(uuid);
    expect(await test(kind, uuid.toUpperCase())).toEqual({ latency_ms: expect.any(Number), ...answers[kind] });
    await test(kind, uuid, { extra_args: { b: 2 }, name: 'ignored', provider: { ...remote, api_keys: ['ignored'] } });
    const stored = { model_name: 'large', base_url: remote.base_url, api_key: key };
    expect(services.opened).toMatchObject([
      { ...stored, extra_args: { a: 1 } },
      { ...stored, extra_args: { b: 2 } },
    ]);
    expect(services.opened[1]?.extra_args).toEqual({ b: 2 });
    expect(await services.models[kind].get(uuid)).toEqual(before);
  });

  it('calls an unsaved one, and stores nothing', async () => {
    const described = { name: 'new', provider: { ...remote, api_keys: ['brand-new'] }, extra_args: { c: 3 } };
    expect(await test(kind, '_', described)).toMatchObject({ ...answers[kind] });
    expect(services.opened).toMatchObject([
      { model_name: 'new', base_url: remote.base_url, api_key: 'brand-new', extra_args: { c: 3 } },
    ]);
    await test(kind, '_', { name: 'new', provider: { requester: 'remote', base_url: remote.base_url } });
    expect(services.opened[1]).toMatchObject({ api_key: null, extra_args: {} });
    expect(await services.providers.list()).toEqual([]);
    expect(await services.models[kind].list()).toEqual([]);
    expect(services.created).toEqual([]);
  });

  it('takes the stored key for a mask, of the same requester and address alone', async () => {
    const uuid = await services.providers.create({ name: 'Remote', ...remote });
    const masked = { ...remote, api_keys: ['sk-…wxyz'] };
    const places = [{ provider: masked }, { provider: { uuid } }, { provider_uuid: uuid }];
    for (const place of places) await test(kind, '_', { name: 'm', ...place });
    expect(services.opened.map(({ api_key }) => api_key)).toEqual([key, key, key]);
    for (const over of [{ base_url: 'https://thief.example/v1' }, { requester: 'other' }, { api_keys: ['sk-…0000'] }]) {
      await expect(test(kind, '_', { name: 'm', provider: { ...masked, ...over } })).rejects.toMatchObject({
        reason: 'secret_required',
        details: [{ path: 'provider.api_keys[0]' }],
      });
    }
    expect(services.opened).toHaveLength(3);
  });

  it.each<[string, TestModel, string]>([
    ['no name', { provider: remote }, 'name'],
    ['no provider', { name: 'm' }, 'provider_uuid'],
    ['half a provider', { name: 'm', provider: { requester: 'remote' } }, 'provider_uuid'],
    ['an unknown provider', { name: 'm', provider_uuid: newUuid() }, 'provider_uuid'],
    ['an unknown requester', { name: 'm', provider: { ...remote, requester: 'unknown' } }, 'provider.requester'],
    ['no address', { name: 'm', provider: { ...remote, base_url: 'nowhere' } }, 'provider.base_url'],
  ])('needs more than %s', async (_what, request, path) => {
    await expect(test(kind, '_', request)).rejects.toMatchObject({ reason: 'invalid_request', details: [{ path }] });
  });

  it('finds none under unknown identifiers, nor among another kind', async () => {
    const other = await services.models[kind === 'llm' ? 'rerank' : 'llm'].create({ name: 'other', provider: remote });
    for (const uuid of [newUuid(), '', 'no uuid', '__', other]) {
      await expect(test(kind, uuid)).rejects.toMatchObject({ reason: 'not_found', message: 'model not found' });
    }
  });

  it('says that the requester is gone, or does not know the kind any more', async () => {
    const uuid = await services.models[kind].create({ name: 'm', provider });
    await expect(test(kind, uuid)).rejects.toMatchObject({ reason: 'conflict' });
    const { providers, opener } = services.withRequesters([]);
    await expect(
      new ModelTester(services.store, providers, opener, options()).test(
        kind,
        uuid,
        {},
        { signal: new AbortController().signal },
      ),
    ).rejects.toMatchObject({ reason: 'conflict', message: 'The requester "odd" is not installed' });
  });

  const failing = (error: unknown): typeof odd => ({
    languageModel: async () => fakeLanguageModel({ error }),
    embeddingModel: async () => fakeEmbeddingModel({ error }),
    rerankingModel: async () => fakeRerankingModel({ error }),
  });

  it.each<[string, unknown, object]>([
    ['no key', Object.assign(new Error(`Wrong key ${key}`), { statusCode: 401 }), { reason: 'provider_unauthorized' }],
    [
      'no quota',
      Object.assign(new Error('no'), { statusCode: 429, responseHeaders: { 'retry-after': '7' } }),
      { reason: 'quota', retryAfterSeconds: 7 },
    ],
    [
      'a refusal',
      Object.assign(new Error(`No model for ${key}`), { statusCode: 404 }),
      { reason: 'provider_failed', message: 'The model provider answered 404: No model for [key].' },
    ],
    ['an address that is not allowed', new ParleyError('address_not_allowed', 'no'), { reason: 'address_not_allowed' }],
    [
      'a fault',
      new Error(`a bug with ${key}`),
      { reason: 'provider_failed', message: 'The model provider failed the call.' },
    ],
  ])('turns %s into a reason', async (_what, error, expected) => {
    await expect(testOdd(kind, failing(error))).rejects.toMatchObject(expected);
  });

  it('turns an error while it is opened into a reason', async () => {
    const refuse = () => Promise.reject(new Error('a bug'));
    const broken = { languageModel: refuse, embeddingModel: refuse, rerankingModel: refuse };
    await expect(testOdd(kind, broken)).rejects.toMatchObject({ reason: 'provider_failed' });
  });

  it('does not wait for a model that does not listen to its signal', async () => {
    const never = () => new Promise<never>(() => {});
    const deaf: typeof odd = {
      languageModel: async () => ({ ...fakeLanguageModel(), doStream: never }),
      embeddingModel: async () => ({ ...fakeEmbeddingModel(), doEmbed: never }),
      rerankingModel: async () => ({ ...fakeRerankingModel(), doRerank: never }),
    };
    await expect(testOdd(kind, deaf)).rejects.toMatchObject({ reason: 'provider_timeout' });
    const gone = new ParleyError('client_closed_request', 'gone');
    await expect(testOdd(kind, deaf, AbortSignal.abort(gone))).rejects.toBe(gone);
  });
});

describe('a test of a language model', () => {
  it('counts no tokens where the provider counts none', async () => {
    const model = fakeLanguageModel();
    const silent: typeof model = {
      ...model,
      doStream: async (call) => {
        const { stream } = await model.doStream(call);
        const count = { inputTokens: { total: undefined }, outputTokens: { total: undefined } };
        const uncounted = new TransformStream({
          transform: (part, controller) =>
            controller.enqueue(part.type === 'finish' ? { ...part, usage: count } : part),
        });
        return { stream: stream.pipeThrough(uncounted) };
      },
    };
    expect(await testOdd('llm', { languageModel: async () => silent })).toEqual({
      latency_ms: expect.any(Number),
      usage: { input_tokens: null, output_tokens: null },
    });
  });

  it.each([
    ['an empty answer', { chunks: [] }, 'The model gave an empty answer.'],
    ['white space', { chunks: [' ', '\n'] }, 'The model gave an empty answer.'],
    [
      'an answer that ends with an error',
      { finishReason: 'error' as const },
      'The answer of the model provider broke off.',
    ],
  ])('takes %s for a failure', async (_what, options, message) => {
    const languageModel = async () => fakeLanguageModel(options);
    await expect(testOdd('llm', { languageModel })).rejects.toMatchObject({ reason: 'provider_failed', message });
  });

  it('takes thinking aloud for an answer', async () => {
    const languageModel = async () => fakeLanguageModel({ chunks: [], reasoning: ['hm'], finishReason: 'length' });
    expect(await testOdd('llm', { languageModel })).toHaveProperty('usage');
  });

  it.each<[string, object[]]>([
    [
      'an error within the stream',
      [{ type: 'error', error: Object.assign(new Error('slow down'), { statusCode: 429 }) }],
    ],
    ['a stream that just ends', [{ type: 'text-delta', id: '1', delta: 'Hel' }]],
  ])('takes %s for a failure', async (what, parts) => {
    const stream = () =>
      new ReadableStream({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
    const languageModel = async () => ({ ...fakeLanguageModel(), doStream: async () => ({ stream: stream() }) });
    const reason = what.startsWith('an error') ? 'quota' : 'provider_failed';
    await expect(testOdd('llm', { languageModel })).rejects.toMatchObject({ reason });
  });

  it('ends a model that talks on and on, even one that does not listen to its signal', async () => {
    const cancelled = Promise.withResolvers<string>();
    const stream = new ReadableStream({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        controller.enqueue({ type: 'text-delta', id: '1', delta: 'word ' });
      },
      cancel: () => cancelled.resolve('cancelled'),
    });
    const languageModel = async () => ({ ...fakeLanguageModel(), doStream: async () => ({ stream }) });
    await expect(testOdd('llm', { languageModel })).rejects.toMatchObject({ reason: 'provider_timeout' });
    expect(await cancelled.promise).toBe('cancelled');
  });
});

it('a model that gives no vector or no ranking did not answer', async () => {
  const none = { embeddingModel: async () => fakeEmbeddingModel({ dimension: 0 }) };
  await expect(testOdd('text-embedding', none)).rejects.toThrow('The model gave no vector.');
  const unranked = { ...fakeRerankingModel(), doRerank: async () => ({ ranking: [] }) };
  await expect(testOdd('rerank', { rerankingModel: async () => unranked })).rejects.toThrow(
    'The model ranked nothing.',
  );
});

describe('the test of an embedding model', () => {
  it('is recorded like every call of one, whether it succeeds or not', async () => {
    const uuid = await services.models['text-embedding'].create({ name: 'large', provider: remote });
    await test('text-embedding', uuid);
    await testOdd('text-embedding', { embeddingModel: async () => fakeEmbeddingModel() });
    await expect(
      testOdd('text-embedding', { embeddingModel: () => Promise.reject(new ParleyError('quota', 'Used up')) }),
    ).rejects.toMatchObject({ reason: 'quota' });
    expect(recorded).toMatchObject([
      { model_uuid: uuid, model_name: 'large', input_count: 1, reason: null, error: null, call_type: 'embedding' },
      { model_uuid: null, model_name: 'm', reason: null },
      { model_uuid: null, model_name: 'm', reason: 'quota', error: 'Used up', total_tokens: 0 },
    ]);
  });

  it('succeeds although it cannot be recorded', async () => {
    recordFails = true;
    expect(await testOdd('text-embedding', { embeddingModel: async () => fakeEmbeddingModel() })).toHaveProperty(
      'dimension',
    );
  });

  it('is the only one that is recorded there', async () => {
    await testOdd('llm', { languageModel: async () => fakeLanguageModel() });
    await testOdd('rerank', { rerankingModel: async () => fakeRerankingModel() });
    expect(recorded).toEqual([]);
  });
});
