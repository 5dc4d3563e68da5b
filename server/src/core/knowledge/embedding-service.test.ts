import type { EmbeddingModel, ModelRequester } from '@parley/sdk';
import { fakeEmbeddingModel, fakeRerankingModel, silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ModelServices, openModelServices } from '../../../test/factories/model-services.ts';
import { type FakeOpenAi, fakeDimension, startFakeOpenAi } from '../../../test/fakes/openai-server.ts';
import { newUuid } from '../../lib/uuid.ts';
import { modelRequesters } from '../../providers/index.ts';
import type { EmbeddingCall } from '../monitoring/embedding-call.ts';
import { EmbeddingService, type EmbeddingServiceParts } from './embedding-service.ts';

let fake: FakeOpenAi;
let services: ModelServices;
let calls: EmbeddingCall[];
let kept: Map<string, Float32Array>;
/** Models that the requester `scripted` opens. */
let scripted: Partial<EmbeddingModel>;
let rerankError: unknown;
let ranking: { index: number; relevanceScore: number }[] | null;

const requester: ModelRequester = {
  name: 'scripted',
  label: { en_US: 'Scripted' },
  description: { en_US: 'Scripted' },
  category: 'self-hosted',
  support_type: ['text-embedding', 'rerank'],
  default_base_url: '',
  embeddingModel: async () => ({ ...fakeEmbeddingModel({ dimension: 3 }), ...scripted }),
  rerankingModel: async () => ({
    ...fakeRerankingModel({ error: rerankError }),
    ...(ranking === null ? {} : { doRerank: async () => ({ ranking: ranking ?? [] }) }),
  }),
};

beforeEach(async () => {
  fake = await startFakeOpenAi();
  const openAi = modelRequesters.find(({ name }) => name === 'openai-chat-completions') as ModelRequester;
  services = await openModelServices([openAi, requester]);
  calls = [];
  kept = new Map();
  scripted = {};
  rerankError = undefined;
  ranking = null;
});
afterEach(async () => {
  await services.close();
  await fake.close();
});

const quick = { retryPauseMs: 5, timeoutMs: 20_000 };
function serviceWith(over: Partial<EmbeddingServiceParts> = {}): EmbeddingService {
  return new EmbeddingService({
    opener: services.opener,
    vectors: {
      knownVectors: async (model, hashes) => hashes.map((hash) => kept.get(`${model} ${hash}`) ?? null),
      keepVectors: async (model, vectors) => {
        for (const { hash, vector } of vectors) kept.set(`${model} ${hash}`, vector);
      },
    },
    calls: { record: async (call) => void calls.push(call) },
    logger: silentLogger,
    patience: { document: quick, query: quick },
    ...over,
  });
}

async function model(keys: string[] = [], name = 'embedder', extra_args = {}): Promise<string> {
  const provider = { requester: 'openai-chat-completions', base_url: fake.base_url, api_keys: keys };
  return services.models['text-embedding'].create({ name, provider, extra_args });
}
const scriptedModel = () =>
  services.models['text-embedding'].create({ name: 'scripted', provider: { requester: 'scripted', base_url: '' } });
const scriptedReranker = () =>
  services.models.rerank.create({ name: 'scripted', provider: { requester: 'scripted', base_url: '' } });

type Options = Parameters<EmbeddingService['embed']>[2];
const options = (over: Partial<Options> = {}): Options => ({
  knowledge_base_uuid: newUuid(),
  purpose: 'document',
  signal: new AbortController().signal,
  ...over,
});
const texts = (count: number, from = 0) => Array.from({ length: count }, (_, place) => `text ${from + place}`);
const inputs = () => fake.requests.map(({ body }) => body?.input as string[]);
const first = (text: string) => Math.fround(text.charCodeAt(0) / 1000 + (text.charCodeAt(8) || 0) / 1000);

describe('texts become vectors', () => {
  it('in their order, each once, and not again', async () => {
    const service = serviceWith();
    const uuid = await model();
    const vectors = await service.embed(uuid, ['b', 'a', 'b'], options());
    expect(vectors.map(([value]) => value)).toEqual([first('b'), first('a'), first('b')]);
    expect(vectors.every((vector) => vector instanceof Float32Array && vector.length === fakeDimension)).toBe(true);
    expect(inputs()).toEqual([['b', 'a']]);
    const again = await service.embed(uuid, ['c', 'a'], options({ purpose: 'query' }));
    expect(again.map(([value]) => value)).toEqual([first('c'), first('a')]);
    expect(inputs()).toEqual([['b', 'a'], ['c']]);
    expect(await service.embed(uuid, [], options())).toEqual([]);
  });

  it('anew where something that they depend on is another', async () => {
    const service = serviceWith();
    await service.embed(await model([], 'one'), ['a'], options());
    await service.embed(await model([], 'two'), ['a'], options());
    await service.embed(await model([], 'one', { dimensions: 8 }), ['a'], options());
    expect(fake.requests).toHaveLength(3);
  });

  it('in calls that are not too large', async () => {
    const service = serviceWith();
    const uuid = await model();
    await service.embed(uuid, texts(100), options());
    expect(Math.max(...inputs().map(({ length }) => length))).toBeLessThanOrEqual(32);
    expect(inputs().flat().sort()).toEqual(texts(100).sort());
    // The length of the vectors is known by now.
    await service.embed(uuid, texts(1000, 100), options());
    expect(inputs().at(-1)?.length).toBeGreaterThan(32);
    const before = fake.requests.length;
    await service.embed(
      uuid,
      Array.from({ length: 30 }, (_, place) => `${place} ${'x'.repeat(20_000)}`),
      options(),
    );
    for (const input of inputs().slice(before)) expect(input.join('').length).toBeLessThanOrEqual(200_000);
  });

  it('in calls that the model takes', async () => {
    const sizes: number[] = [];
    scripted = {
      maxEmbeddingsPerCall: 3,
      doEmbed: async ({ values }) => {
        sizes.push(values.length);
        return { embeddings: values.map(() => [1, 2]), warnings: [] };
      },
    };
    await serviceWith().embed(await scriptedModel(), texts(10), options());
    expect(sizes.sort()).toEqual([1, 3, 3, 3]);
  });

  it.each([
    [true, 4],
    [false, 1],
  ])('several at once over all documents of a provider, if it can (%s: %i)', async (supportsParallelCalls, most) => {
    let running = 0;
    let highest = 0;
    scripted = {
      maxEmbeddingsPerCall: 1,
      supportsParallelCalls,
      doEmbed: async ({ values }) => {
        running += 1;
        highest = Math.max(highest, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return { embeddings: values.map(() => [1]), warnings: [] };
      },
    };
    const service = serviceWith();
    const uuid = await scriptedModel();
    await Promise.all([0, 10, 20].map((from) => service.embed(uuid, texts(10, from), options())));
    expect(highest).toBe(most);
  });

  it('while somebody waits, though documents take their time', async () => {
    const slow = Promise.withResolvers<void>();
    scripted = {
      doEmbed: async ({ values }) => {
        if (values[0] !== 'question') await slow.promise;
        return { embeddings: values.map(() => [1]), warnings: [] };
      },
    };
    const service = serviceWith();
    const uuid = await scriptedModel();
    const documents = Array.from({ length: 6 }, (_, place) => service.embed(uuid, texts(1, place), options()));
    expect(await service.embed(uuid, ['question'], options({ purpose: 'query' }))).toEqual([new Float32Array([1])]);
    slow.resolve();
    await Promise.all(documents);
  });

  it('never from nothing, and as far as a model could read', async () => {
    const service = serviceWith();
    const uuid = await model();
    await expect(service.embed(uuid, ['a', ' \n'], options())).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'texts[1]' }],
    });
    const warn = vi.fn();
    await serviceWith({ logger: { ...silentLogger, warn } }).embed(
      uuid,
      [`x${'🦡'.repeat(20_000)}`, 'a\ud800'],
      options(),
    );
    const [long = '', lone = ''] = inputs().flat();
    expect(long.length).toBe(23_999);
    expect(lone).toBe('a\ufffd');
    expect(long.isWellFormed()).toBe(true);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('of one length, also when the model behind the name was exchanged', async () => {
    const service = serviceWith();
    const uuid = await scriptedModel();
    await service.embed(uuid, ['a', 'b'], options());
    scripted = { doEmbed: async ({ values }) => ({ embeddings: values.map(() => [1, 2, 3, 4, 5]), warnings: [] }) };
    const vectors = await service.embed(uuid, ['a', 'c'], options());
    expect(vectors.map(({ length }) => length)).toEqual([5, 5]);
  });

  it('without the store of vectors, when that fails', async () => {
    const warn = vi.fn();
    const broken = () => Promise.reject(new Error('disk full'));
    const service = serviceWith({
      vectors: { knownVectors: broken, keepVectors: broken },
      logger: { ...silentLogger, warn },
    });
    expect(await service.embed(await model(), ['a'], options())).toHaveLength(1);
    expect(warn).toHaveBeenCalledTimes(2);
  });
});

describe('a failure of the provider', () => {
  it('that passes is outlasted', async () => {
    fake.behave((index) => {
      if (index === 0) return { kind: 'error', status: 500 };
      return index === 1 ? { kind: 'cut' } : { kind: 'answer' };
    });
    expect(await serviceWith().embed(await model(), ['a'], options())).toHaveLength(1);
    expect(calls.map(({ reason }) => reason)).toEqual(['provider_failed', 'provider_failed', null]);
  });

  it('to answer in JSON is told', async () => {
    fake.behave({ kind: 'malformed' });
    const attempt = serviceWith().embed(await model(), ['a'], options());
    await expect(attempt).rejects.toMatchObject({ name: 'ParleyError', reason: 'provider_failed' });
    expect(kept.size).toBe(0);
  });

  it('that does not pass ends after a few attempts, with its reason', async () => {
    fake.behave({ kind: 'error', status: 503, message: 'Overloaded' });
    const attempt = serviceWith().embed(await model(), ['a'], options());
    await expect(attempt).rejects.toMatchObject({ name: 'ParleyError', reason: 'provider_failed' });
    expect(fake.requests).toHaveLength(5);
  });

  it.each([
    [401, 'provider_unauthorized'],
    [402, 'quota'],
    [404, 'unknown_model'],
  ])('that lasts (%i) is not met again', async (status, reason) => {
    fake.behave({ kind: 'error', status, message: 'model not found' });
    await expect(serviceWith().embed(await model(['k']), ['a'], options())).rejects.toMatchObject({ reason });
    expect(fake.requests).toHaveLength(1);
    expect(kept.size).toBe(0);
  });

  it('of one key is no failure of the others', async () => {
    fake.behave((index) =>
      index === 0 ? { kind: 'error', status: 429, headers: { 'retry-after': '600' } } : { kind: 'answer' },
    );
    const uuid = await model(['sk-first-0123456789', 'sk-second-0123456789']);
    const started = performance.now();
    await serviceWith().embed(uuid, ['a'], options());
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-first-0123456789',
      'Bearer sk-second-0123456789',
    ]);
  });

  it('for a rate limit makes everybody wait as long as it says', async () => {
    let limitedAt = 0;
    fake.behave((index) => {
      if (index > 0) return { kind: 'answer' };
      limitedAt = performance.now();
      return { kind: 'error', status: 429, headers: { 'retry-after': '1' } };
    });
    const service = serviceWith();
    const uuid = await model(['k']);
    const arrivals: number[] = [];
    const embedded = service.embed(uuid, ['a'], options());
    await vi.waitFor(() => expect(calls).toHaveLength(1), { timeout: 20_000 });
    await Promise.all([
      embedded.then(() => arrivals.push(performance.now())),
      service.embed(uuid, ['b'], options()).then(() => arrivals.push(performance.now())),
    ]);
    for (const arrival of arrivals) expect(arrival - limitedAt).toBeGreaterThan(900);
    expect(fake.requests).toHaveLength(3);
  });

  it('for a rate limit is outlasted more often than other failures', async () => {
    fake.behave((index) => (index < 3 ? { kind: 'error', status: 429 } : { kind: 'answer' }));
    const service = serviceWith({ patience: { document: { ...quick, retries: 1 } } });
    expect(await service.embed(await model(), ['a'], options())).toHaveLength(1);
  });

  it('for a long limit is told at once, and nobody asks again until then', async () => {
    fake.behave({ kind: 'error', status: 429, headers: { 'retry-after': '60' } });
    const service = serviceWith();
    const uuid = await model(['k']);
    for (let times = 0; times < 2; times += 1) {
      await expect(service.embed(uuid, ['a'], options({ purpose: 'query' }))).rejects.toMatchObject({
        reason: 'quota',
      });
    }
    expect(fake.requests).toHaveLength(1);
    // Whoever mends the provider need not wait.
    fake.behave({ kind: 'answer' });
    const [provider] = await services.providers.list();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await services.providers.update(provider?.uuid ?? '', { api_keys: ['another'] });
    expect(await service.embed(uuid, ['a'], options({ purpose: 'query' }))).toHaveLength(1);
  });

  it('to answer in time is told', async () => {
    fake.behave({ kind: 'stall' });
    const patience = { document: { ...quick, timeoutMs: 20, retries: 1 }, query: { ...quick, timeoutMs: 20 } };
    const service = serviceWith({ patience });
    const uuid = await model();
    await expect(service.embed(uuid, ['a'], options({ purpose: 'query' }))).rejects.toMatchObject({
      reason: 'provider_timeout',
    });
    expect(fake.requests).toHaveLength(1);
    await expect(service.embed(uuid, ['a'], options())).rejects.toMatchObject({ reason: 'provider_timeout' });
    expect(fake.requests).toHaveLength(3);
  });

  it('of one call gives up the others', async () => {
    const stopped: boolean[] = [];
    scripted = {
      maxEmbeddingsPerCall: 1,
      doEmbed: async ({ values, abortSignal }) => {
        if (values[0] === 'text 3') throw Object.assign(new Error('no'), { statusCode: 401 });
        await new Promise((resolve) => abortSignal?.addEventListener('abort', resolve));
        stopped.push(true);
        return { embeddings: [], warnings: [] };
      },
    };
    const attempt = serviceWith().embed(await scriptedModel(), texts(10), options());
    await expect(attempt).rejects.toMatchObject({ reason: 'provider_unauthorized' });
    expect(stopped).toEqual([true, true, true]);
  });

  it.each([
    ['too few vectors', [[1, 2]]],
    [
      'something that is no number',
      [
        [1, Number.NaN],
        [1, 2],
      ],
    ],
    [
      'nothing in place of a number',
      [
        [1, null],
        [1, 2],
      ],
    ],
    [
      'numbers that are too large',
      [
        [1, 1e300],
        [1, 2],
      ],
    ],
    ['an empty vector', [[], [1]]],
    [
      'vectors of different lengths',
      [
        [1, 2],
        [1, 2, 3],
      ],
    ],
    ['no list', 'vectors'],
  ])('to give vectors is told: %s', async (_, embeddings) => {
    scripted = { doEmbed: async () => ({ embeddings: embeddings as number[][], warnings: [] }) };
    const attempt = serviceWith().embed(await scriptedModel(), ['a', 'b'], options());
    await expect(attempt).rejects.toMatchObject({ name: 'ParleyError', reason: 'provider_failed' });
    expect(kept.size).toBe(0);
  });

  it('to take so much at once is met with halves, which is remembered', async () => {
    const sizes: number[] = [];
    scripted = {
      supportsParallelCalls: false,
      doEmbed: async ({ values }) => {
        sizes.push(values.length);
        if (values.length > 10) throw Object.assign(new Error('batch size'), { statusCode: 422 });
        return { embeddings: values.map((text) => [Number(text.slice(5))]), warnings: [] };
      },
    };
    const service = serviceWith();
    const uuid = await scriptedModel();
    expect((await service.embed(uuid, texts(32), options())).map(([value]) => value)).toEqual([...Array(32).keys()]);
    expect(sizes).toEqual([32, 16, 8, 8, 16, 8, 8]);
    await service.embed(uuid, texts(16, 100), options());
    expect(sizes.slice(7)).toEqual([8, 8]);
  });

  it('to take a text is told, and is not held against the model', async () => {
    const sizes: number[] = [];
    scripted = {
      doEmbed: async ({ values }) => {
        sizes.push(values.length);
        if (values.includes('bad')) throw Object.assign(new Error('too long'), { statusCode: 400 });
        return { embeddings: values.map(() => [1]), warnings: [] };
      },
    };
    const service = serviceWith();
    const uuid = await scriptedModel();
    await expect(service.embed(uuid, [...texts(3), 'bad'], options())).rejects.toMatchObject({
      reason: 'provider_failed',
    });
    expect(sizes).toEqual([4, 2, 2, 1, 1]);
    await service.embed(uuid, texts(4, 10), options());
    expect(sizes.at(-1)).toBe(4);
  });

  it('is no matter where the model is not there', async () => {
    for (const uuid of [newUuid(), '', 'no uuid']) {
      const [embed, rerank] = [
        serviceWith().embed(uuid, ['a'], options()),
        serviceWith().rerank(uuid, 'q', ['a'], { limit: 1, signal: new AbortController().signal }),
      ];
      await expect(embed).rejects.toMatchObject({ reason: 'model_not_configured' });
      await expect(rerank).rejects.toMatchObject({ reason: 'model_not_configured' });
    }
  });
});

describe('who gives up', () => {
  it('gets the reason, and the provider is left alone', async () => {
    fake.behave({ kind: 'stall' });
    const controller = new AbortController();
    const reason = new Error('given up');
    const attempt = serviceWith().embed(await model(), texts(200), options({ signal: controller.signal }));
    await vi.waitFor(() => expect(fake.requests.length).toBe(4), { timeout: 20_000 });
    controller.abort(reason);
    await expect(attempt).rejects.toBe(reason);
    await Promise.all(fake.requests.map(({ closed }) => closed));
    expect(fake.requests).toHaveLength(4);
    await vi.waitFor(() => expect(calls.map((call) => call.reason)).toEqual(Array(4).fill('cancelled')));
  });

  it('does not begin', async () => {
    const reason = new Error('given up');
    const signal = AbortSignal.abort(reason);
    await expect(serviceWith().embed(newUuid(), ['a'], options({ signal }))).rejects.toBe(reason);
    await expect(serviceWith().rerank(newUuid(), 'q', ['a'], { limit: 1, signal })).rejects.toBe(reason);
  });

  it('need not wait for a rate limit to pass', async () => {
    fake.behave({ kind: 'error', status: 429, headers: { 'retry-after': '60' } });
    const controller = new AbortController();
    const attempt = serviceWith().embed(await model(), ['a'], options({ signal: controller.signal }));
    await vi.waitFor(() => expect(calls).toHaveLength(1), { timeout: 20_000 });
    controller.abort(new Error('given up'));
    await expect(attempt).rejects.toThrow('given up');
  });
});

describe('each call', () => {
  it('is recorded, with who asked', async () => {
    const service = serviceWith();
    const uuid = await model();
    await service.embed(uuid, ['a', 'b'], options({ knowledge_base_uuid: 'base' }));
    const asked_by = { session_id: 'person_1', message_uuid: newUuid() };
    await service.embed(uuid, ['why?'], options({ purpose: 'query', knowledge_base_uuid: 'base', asked_by }));
    expect(calls).toEqual([
      {
        model_uuid: uuid,
        model_name: 'embedder',
        started_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        milliseconds: expect.any(Number),
        prompt_tokens: 2,
        total_tokens: 2,
        input_count: 2,
        reason: null,
        error: null,
        knowledge_base_uuid: 'base',
        query_text: null,
        session_id: null,
        message_uuid: null,
        call_type: 'embedding',
      },
      expect.objectContaining({ call_type: 'retrieve', query_text: 'why?', input_count: 1, ...asked_by }),
    ]);
  });

  it('counts though it could not be recorded', async () => {
    const error = vi.fn();
    const service = serviceWith({
      calls: { record: () => Promise.reject(new Error('disk full')) },
      logger: { ...silentLogger, error },
    });
    expect(await service.embed(await model(), ['a'], options())).toHaveLength(1);
    expect(error).toHaveBeenCalledOnce();
  });
});

describe('texts are ordered', () => {
  const signal = new AbortController().signal;

  it('best first, as many as are wanted', async () => {
    const order = await serviceWith().rerank(await scriptedReranker(), 'q', ['a', 'b', 'c'], { limit: 2, signal });
    expect(order).toEqual([
      { index: 2, score: 2 },
      { index: 1, score: 1 },
    ]);
    expect(await serviceWith().rerank(newUuid(), 'q', [], { limit: 2, signal })).toEqual([]);
  });

  it('unless the model fails', async () => {
    rerankError = Object.assign(new Error('no'), { statusCode: 401 });
    const attempt = serviceWith().rerank(await scriptedReranker(), 'q', ['a'], { limit: 1, signal });
    await expect(attempt).rejects.toMatchObject({ reason: 'provider_unauthorized' });
  });

  it.each([
    ['a text that is not there', [{ index: 2, relevanceScore: 1 }]],
    [
      'a text twice',
      [
        { index: 0, relevanceScore: 1 },
        { index: 0, relevanceScore: 2 },
      ],
    ],
    ['no number', [{ index: 0, relevanceScore: Number.NaN }]],
    ['half a place', [{ index: 0.5, relevanceScore: 1 }]],
  ])('unless the model names %s', async (_, given) => {
    ranking = given;
    const attempt = serviceWith().rerank(await scriptedReranker(), 'q', ['a', 'b'], { limit: 2, signal });
    await expect(attempt).rejects.toMatchObject({ reason: 'provider_failed' });
  });
});
