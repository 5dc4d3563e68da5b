import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type EmbeddingFixture,
  embedOptions,
  numberedTexts,
  openEmbeddingFixture,
  quick,
} from '../../../test/factories/embedding-fixture.ts';
import { newUuid } from '../../lib/uuid.ts';

let fixture: EmbeddingFixture;
beforeEach(async () => {
  fixture = await openEmbeddingFixture();
});
afterEach(() => fixture.close());

describe('a failure of the provider', () => {
  it('that passes is outlasted', async () => {
    fixture.fake.behave((index) => {
      if (index === 0) return { kind: 'error', status: 500 };
      return index === 1 ? { kind: 'cut' } : { kind: 'answer' };
    });
    expect(await fixture.serviceWith().embed(await fixture.model(), ['a'], embedOptions())).toHaveLength(1);
    expect(fixture.calls.map(({ reason }) => reason)).toEqual(['provider_failed', 'provider_failed', null]);
  });

  it('to respond in JSON is reported', async () => {
    fixture.fake.behave({ kind: 'malformed' });
    const attempt = fixture.serviceWith().embed(await fixture.model(), ['a'], embedOptions());
    await expect(attempt).rejects.toMatchObject({ name: 'ParleyError', reason: 'provider_failed' });
    expect(fixture.cache.size).toBe(0);
  });

  it('that does not pass ends after a few attempts, with its reason', async () => {
    fixture.fake.behave({ kind: 'error', status: 503, message: 'Overloaded' });
    const attempt = fixture.serviceWith().embed(await fixture.model(), ['a'], embedOptions());
    await expect(attempt).rejects.toMatchObject({ name: 'ParleyError', reason: 'provider_failed' });
    expect(fixture.fake.requests).toHaveLength(5);
  });

  it.each([
    [401, 'provider_unauthorized'],
    [402, 'quota'],
    [404, 'unknown_model'],
  ])('that lasts (%i) is not met again', async (status, reason) => {
    fixture.fake.behave({ kind: 'error', status, message: 'model not found' });
    await expect(fixture.serviceWith().embed(await fixture.model(['k']), ['a'], embedOptions())).rejects.toMatchObject({
      reason,
    });
    expect(fixture.fake.requests).toHaveLength(1);
    expect(fixture.cache.size).toBe(0);
  });

  it('of one key is no failure of the others', async () => {
    fixture.fake.behave((index) =>
      index === 0 ? { kind: 'error', status: 429, headers: { 'retry-after': '600' } } : { kind: 'answer' },
    );
    const uuid = await fixture.model(['sk-first-0123456789', 'sk-second-0123456789']);
    const started = performance.now();
    await fixture.serviceWith().embed(uuid, ['a'], embedOptions());
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(fixture.fake.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-first-0123456789',
      'Bearer sk-second-0123456789',
    ]);
  });

  it('for a rate limit makes all callers wait as long as it says', async () => {
    let limitedAt = 0;
    fixture.fake.behave((index) => {
      if (index > 0) return { kind: 'answer' };
      limitedAt = performance.now();
      return { kind: 'error', status: 429, headers: { 'retry-after': '1' } };
    });
    const service = fixture.serviceWith();
    const uuid = await fixture.model(['k']);
    const arrivals: number[] = [];
    const embedded = service.embed(uuid, ['a'], embedOptions());
    await vi.waitFor(() => expect(fixture.calls).toHaveLength(1), { timeout: 20_000 });
    await Promise.all([
      embedded.then(() => arrivals.push(performance.now())),
      service.embed(uuid, ['b'], embedOptions()).then(() => arrivals.push(performance.now())),
    ]);
    for (const arrival of arrivals) expect(arrival - limitedAt).toBeGreaterThan(900);
    expect(fixture.fake.requests).toHaveLength(3);
  });

  it('for a rate limit is outlasted more often than other failures', async () => {
    fixture.fake.behave((index) => (index < 3 ? { kind: 'error', status: 429 } : { kind: 'answer' }));
    const service = fixture.serviceWith({ patience: { document: { ...quick, retries: 1 } } });
    expect(await service.embed(await fixture.model(), ['a'], embedOptions())).toHaveLength(1);
  });

  it('for a long limit is reported immediately, and there is no call until then', async () => {
    fixture.fake.behave({ kind: 'error', status: 429, headers: { 'retry-after': '60' } });
    const service = fixture.serviceWith();
    const uuid = await fixture.model(['k']);
    for (let times = 0; times < 2; times += 1) {
      await expect(service.embed(uuid, ['a'], embedOptions({ purpose: 'query' }))).rejects.toMatchObject({
        reason: 'quota',
      });
    }
    expect(fixture.fake.requests).toHaveLength(1);
    // After the provider was changed, there is no wait.
    fixture.fake.behave({ kind: 'answer' });
    const [provider] = await fixture.services.providers.list();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await fixture.services.providers.update(provider?.uuid ?? '', { api_keys: ['another'] });
    expect(await service.embed(uuid, ['a'], embedOptions({ purpose: 'query' }))).toHaveLength(1);
  });

  it('to respond in time is reported', async () => {
    fixture.fake.behave({ kind: 'stall' });
    const patience = { document: { ...quick, timeoutMs: 20, retries: 1 }, query: { ...quick, timeoutMs: 20 } };
    const service = fixture.serviceWith({ patience });
    const uuid = await fixture.model();
    await expect(service.embed(uuid, ['a'], embedOptions({ purpose: 'query' }))).rejects.toMatchObject({
      reason: 'provider_timeout',
    });
    expect(fixture.fake.requests).toHaveLength(1);
    await expect(service.embed(uuid, ['a'], embedOptions())).rejects.toMatchObject({ reason: 'provider_timeout' });
    expect(fixture.fake.requests).toHaveLength(3);
  });

  it('of one call aborts the others', async () => {
    const stopped: boolean[] = [];
    fixture.scripted = {
      maxEmbeddingsPerCall: 1,
      doEmbed: async ({ values, abortSignal }) => {
        if (values[0] === 'text 3') throw Object.assign(new Error('no'), { statusCode: 401 });
        await new Promise((resolve) => abortSignal?.addEventListener('abort', resolve));
        stopped.push(true);
        return { embeddings: [], warnings: [] };
      },
    };
    const attempt = fixture.serviceWith().embed(await fixture.scriptedModel(), numberedTexts(10), embedOptions());
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
      'null in place of a number',
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
  ])('to return vectors is reported: %s', async (_, embeddings) => {
    fixture.scripted = { doEmbed: async () => ({ embeddings: embeddings as number[][], warnings: [] }) };
    const attempt = fixture.serviceWith().embed(await fixture.scriptedModel(), ['a', 'b'], embedOptions());
    await expect(attempt).rejects.toMatchObject({ name: 'ParleyError', reason: 'provider_failed' });
    expect(fixture.cache.size).toBe(0);
  });

  it('to accept a batch is retried with halves, and the limit is remembered', async () => {
    const sizes: number[] = [];
    fixture.scripted = {
      supportsParallelCalls: false,
      doEmbed: async ({ values }) => {
        sizes.push(values.length);
        if (values.length > 10) throw Object.assign(new Error('batch size'), { statusCode: 422 });
        return { embeddings: values.map((text) => [Number(text.slice(5))]), warnings: [] };
      },
    };
    const service = fixture.serviceWith();
    const uuid = await fixture.scriptedModel();
    expect((await service.embed(uuid, numberedTexts(32), embedOptions())).map(([value]) => value)).toEqual([
      ...Array(32).keys(),
    ]);
    expect(sizes).toEqual([32, 16, 8, 8, 16, 8, 8]);
    await service.embed(uuid, numberedTexts(16, 100), embedOptions());
    expect(sizes.slice(7)).toEqual([8, 8]);
  });

  it('to accept a text is reported, and does not affect the model', async () => {
    const sizes: number[] = [];
    fixture.scripted = {
      doEmbed: async ({ values }) => {
        sizes.push(values.length);
        if (values.includes('bad')) throw Object.assign(new Error('too long'), { statusCode: 400 });
        return { embeddings: values.map(() => [1]), warnings: [] };
      },
    };
    const service = fixture.serviceWith();
    const uuid = await fixture.scriptedModel();
    await expect(service.embed(uuid, [...numberedTexts(3), 'bad'], embedOptions())).rejects.toMatchObject({
      reason: 'provider_failed',
    });
    expect(sizes).toEqual([4, 2, 2, 1, 1]);
    await service.embed(uuid, numberedTexts(4, 10), embedOptions());
    expect(sizes.at(-1)).toBe(4);
  });

  it('is no matter where the model is not there', async () => {
    for (const uuid of [newUuid(), '', 'no uuid']) {
      const [embed, rerank] = [
        fixture.serviceWith().embed(uuid, ['a'], embedOptions()),
        fixture.serviceWith().rerank(uuid, 'q', ['a'], { limit: 1, signal: new AbortController().signal }),
      ];
      await expect(embed).rejects.toMatchObject({ reason: 'model_not_configured' });
      await expect(rerank).rejects.toMatchObject({ reason: 'model_not_configured' });
    }
  });
});

describe('an aborted caller', () => {
  it('gets the reason, and the provider is not called', async () => {
    fixture.fake.behave({ kind: 'stall' });
    const controller = new AbortController();
    const reason = new Error('aborted');
    const attempt = fixture
      .serviceWith()
      .embed(await fixture.model(), numberedTexts(200), embedOptions({ signal: controller.signal }));
    await vi.waitFor(() => expect(fixture.fake.requests.length).toBe(4), { timeout: 20_000 });
    controller.abort(reason);
    await expect(attempt).rejects.toBe(reason);
    await Promise.all(fixture.fake.requests.map(({ closed }) => closed));
    expect(fixture.fake.requests).toHaveLength(4);
    await vi.waitFor(() => expect(fixture.calls.map((call) => call.reason)).toEqual(Array(4).fill('cancelled')));
  });

  it('does not start', async () => {
    const reason = new Error('aborted');
    const signal = AbortSignal.abort(reason);
    await expect(fixture.serviceWith().embed(newUuid(), ['a'], embedOptions({ signal }))).rejects.toBe(reason);
    await expect(fixture.serviceWith().rerank(newUuid(), 'q', ['a'], { limit: 1, signal })).rejects.toBe(reason);
  });

  it('need not wait for a rate limit to pass', async () => {
    fixture.fake.behave({ kind: 'error', status: 429, headers: { 'retry-after': '60' } });
    const controller = new AbortController();
    const attempt = fixture
      .serviceWith()
      .embed(await fixture.model(), ['a'], embedOptions({ signal: controller.signal }));
    await vi.waitFor(() => expect(fixture.calls).toHaveLength(1), { timeout: 20_000 });
    controller.abort(new Error('aborted'));
    await expect(attempt).rejects.toThrow('aborted');
  });
});
