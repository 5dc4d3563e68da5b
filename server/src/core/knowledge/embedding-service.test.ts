import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type EmbeddingFixture,
  embedOptions,
  numberedTexts,
  openEmbeddingFixture,
} from '../../../test/factories/embedding-fixture.ts';
import { fakeDimension } from '../../../test/fakes/openai-server.ts';
import { newUuid } from '../../lib/uuid.ts';

let fixture: EmbeddingFixture;
beforeEach(async () => {
  fixture = await openEmbeddingFixture();
});
afterEach(() => fixture.close());

const inputs = () => fixture.fake.requests.map(({ body }) => body?.input as string[]);
const first = (text: string) => Math.fround(text.charCodeAt(0) / 1000 + (text.charCodeAt(8) || 0) / 1000);

describe('texts become vectors', () => {
  it('in their order, each once, and not again', async () => {
    const service = fixture.serviceWith();
    const uuid = await fixture.model();
    const vectors = await service.embed(uuid, ['b', 'a', 'b'], embedOptions());
    expect(vectors.map(([value]) => value)).toEqual([first('b'), first('a'), first('b')]);
    expect(vectors.every((vector) => vector instanceof Float32Array && vector.length === fakeDimension)).toBe(true);
    expect(inputs()).toEqual([['b', 'a']]);
    const again = await service.embed(uuid, ['c', 'a'], embedOptions({ purpose: 'query' }));
    expect(again.map(([value]) => value)).toEqual([first('c'), first('a')]);
    expect(inputs()).toEqual([['b', 'a'], ['c']]);
    expect(await service.embed(uuid, [], embedOptions())).toEqual([]);
  });

  it('again when something that they depend on has changed', async () => {
    const service = fixture.serviceWith();
    await service.embed(await fixture.model([], 'one'), ['a'], embedOptions());
    await service.embed(await fixture.model([], 'two'), ['a'], embedOptions());
    await service.embed(await fixture.model([], 'one', { dimensions: 8 }), ['a'], embedOptions());
    expect(fixture.fake.requests).toHaveLength(3);
  });

  it('in calls that are not too large', async () => {
    const service = fixture.serviceWith();
    const uuid = await fixture.model();
    await service.embed(uuid, numberedTexts(100), embedOptions());
    expect(Math.max(...inputs().map(({ length }) => length))).toBeLessThanOrEqual(32);
    expect(inputs().flat().sort()).toEqual(numberedTexts(100).sort());
    // The length of the vectors is known by now.
    await service.embed(uuid, numberedTexts(1000, 100), embedOptions());
    expect(inputs().at(-1)?.length).toBeGreaterThan(32);
    const before = fixture.fake.requests.length;
    await service.embed(
      uuid,
      Array.from({ length: 30 }, (_, place) => `${place} ${'x'.repeat(20_000)}`),
      embedOptions(),
    );
    for (const input of inputs().slice(before)) expect(input.join('').length).toBeLessThanOrEqual(200_000);
  });

  it('in calls that the model takes', async () => {
    const sizes: number[] = [];
    fixture.scripted = {
      maxEmbeddingsPerCall: 3,
      doEmbed: async ({ values }) => {
        sizes.push(values.length);
        return { embeddings: values.map(() => [1, 2]), warnings: [] };
      },
    };
    await fixture.serviceWith().embed(await fixture.scriptedModel(), numberedTexts(10), embedOptions());
    expect(sizes.sort()).toEqual([1, 3, 3, 3]);
  });

  it.each([
    [true, 4],
    [false, 1],
  ])(
    'concurrently over all documents of a provider, if it supports that (%s: %i)',
    async (supportsParallelCalls, most) => {
      let running = 0;
      let highest = 0;
      fixture.scripted = {
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
      const service = fixture.serviceWith();
      const uuid = await fixture.scriptedModel();
      await Promise.all([0, 10, 20].map((from) => service.embed(uuid, numberedTexts(10, from), embedOptions())));
      expect(highest).toBe(most);
    },
  );

  it('for searches without waiting for documents', async () => {
    const slow = Promise.withResolvers<void>();
    fixture.scripted = {
      doEmbed: async ({ values }) => {
        if (values[0] !== 'question') await slow.promise;
        return { embeddings: values.map(() => [1]), warnings: [] };
      },
    };
    const service = fixture.serviceWith();
    const uuid = await fixture.scriptedModel();
    const documents = Array.from({ length: 6 }, (_, place) =>
      service.embed(uuid, numberedTexts(1, place), embedOptions()),
    );
    expect(await service.embed(uuid, ['question'], embedOptions({ purpose: 'query' }))).toEqual([
      new Float32Array([1]),
    ]);
    slow.resolve();
    await Promise.all(documents);
  });

  it('never for an empty text, and up to the input limit of the model', async () => {
    const service = fixture.serviceWith();
    const uuid = await fixture.model();
    await expect(service.embed(uuid, ['a', ' \n'], embedOptions())).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'texts[1]' }],
    });
    const warn = vi.fn();
    await fixture
      .serviceWith({ logger: { ...silentLogger, warn } })
      .embed(uuid, [`x${'🦡'.repeat(20_000)}`, 'a\ud800'], embedOptions());
    const [long = '', lone = ''] = inputs().flat();
    expect(long.length).toBe(23_999);
    expect(lone).toBe('a\ufffd');
    expect(long.isWellFormed()).toBe(true);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('of one length, also when the model behind the name was exchanged', async () => {
    const service = fixture.serviceWith();
    const uuid = await fixture.scriptedModel();
    await service.embed(uuid, ['a', 'b'], embedOptions());
    fixture.scripted = {
      doEmbed: async ({ values }) => ({ embeddings: values.map(() => [1, 2, 3, 4, 5]), warnings: [] }),
    };
    const vectors = await service.embed(uuid, ['a', 'c'], embedOptions());
    expect(vectors.map(({ length }) => length)).toEqual([5, 5]);
  });

  it('without the store of vectors, when that fails', async () => {
    const warn = vi.fn();
    const broken = () => Promise.reject(new Error('disk full'));
    const service = fixture.serviceWith({
      vectors: { knownVectors: broken, keepVectors: broken },
      logger: { ...silentLogger, warn },
    });
    expect(await service.embed(await fixture.model(), ['a'], embedOptions())).toHaveLength(1);
    expect(warn).toHaveBeenCalledTimes(2);
  });
});

describe('each call', () => {
  it('is recorded with its caller', async () => {
    const service = fixture.serviceWith();
    const uuid = await fixture.model();
    await service.embed(uuid, ['a', 'b'], embedOptions({ knowledge_base_uuid: 'base' }));
    const asked_by = { session_id: 'person_1', message_uuid: newUuid() };
    await service.embed(uuid, ['why?'], embedOptions({ purpose: 'query', knowledge_base_uuid: 'base', asked_by }));
    expect(fixture.calls).toEqual([
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
        plugin_id: null,
        query_text: null,
        session_id: null,
        message_uuid: null,
        call_type: 'embedding',
      },
      expect.objectContaining({ call_type: 'retrieve', query_text: 'why?', input_count: 1, ...asked_by }),
    ]);
    await service.embed(uuid, ['c'], embedOptions({ knowledge_base_uuid: null, plugin_id: 'example/units' }));
    expect(fixture.calls[2]).toMatchObject({ knowledge_base_uuid: null, plugin_id: 'example/units' });
  });

  it('counts though it could not be recorded', async () => {
    const error = vi.fn();
    const service = fixture.serviceWith({
      calls: { record: () => Promise.reject(new Error('disk full')) },
      logger: { ...silentLogger, error },
    });
    expect(await service.embed(await fixture.model(), ['a'], embedOptions())).toHaveLength(1);
    expect(error).toHaveBeenCalledOnce();
  });
});

describe('texts are ordered', () => {
  const signal = new AbortController().signal;

  it('best first, as many as are wanted', async () => {
    const order = await fixture
      .serviceWith()
      .rerank(await fixture.scriptedReranker(), 'q', ['a', 'b', 'c'], { limit: 2, signal });
    expect(order).toEqual([
      { index: 2, score: 2 },
      { index: 1, score: 1 },
    ]);
    expect(await fixture.serviceWith().rerank(newUuid(), 'q', [], { limit: 2, signal })).toEqual([]);
  });

  it('unless the model fails', async () => {
    fixture.rerankError = Object.assign(new Error('no'), { statusCode: 401 });
    const attempt = fixture.serviceWith().rerank(await fixture.scriptedReranker(), 'q', ['a'], { limit: 1, signal });
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
    fixture.ranking = given;
    const attempt = fixture
      .serviceWith()
      .rerank(await fixture.scriptedReranker(), 'q', ['a', 'b'], { limit: 2, signal });
    await expect(attempt).rejects.toMatchObject({ reason: 'provider_failed' });
  });
});
