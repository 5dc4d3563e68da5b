import { type OpenedModel, ParleyError, type Reason } from '@parley/sdk';
import { fakeLanguageModel, openedModel } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { askAgent } from './testing/ask-agent.ts';

const answered = (statusCode: number, responseHeaders: Record<string, string> = {}) => ({
  error: Object.assign(new Error('x'), { name: 'AI_APICallError', statusCode, responseHeaders }),
});

/** Providers by the uuid of their model: the results of their calls, and their number of keys. */
function opening(models: Record<string, { answers: object[]; keys?: number }>) {
  const opened: string[] = [];
  const reports: [string, Reason | null, number?][] = [];
  const made = new Map(Object.entries(models).map(([uuid, { answers }]) => [uuid, fakeLanguageModel({ answers })]));
  const openModel = async (uuid: string): Promise<OpenedModel> => {
    opened.push(uuid);
    return openedModel(uuid, made.get(uuid) ?? fakeLanguageModel(), {
      keys: models[uuid]?.keys ?? 1,
      report: (failure) => {
        const { reason = null, retryAfterSeconds } = failure ?? {};
        reports.push(retryAfterSeconds === undefined ? [uuid, reason] : [uuid, reason, retryAfterSeconds]);
      },
    });
  };
  return { opened, reports, openModel };
}
const twoModels = { model: { primary: 'first', fallbacks: ['second'] } };
const fine = { chunks: ['Fine.'] };

describe('the keys of a provider', () => {
  it.each([
    [401, 'provider_unauthorized'],
    [429, 'quota'],
    [402, 'quota'],
  ])('are tried one after the other after %d, before another model', async (status, reason) => {
    const { opened, reports, openModel } = opening({
      first: { answers: [answered(status), answered(status), fine], keys: 3 },
    });
    const { text, calls } = await askAgent({ config: twoModels, context: { openModel } });
    expect(text).toBe('Fine.');
    expect(opened).toEqual(['first', 'first', 'first']);
    expect(reports).toEqual([
      ['first', reason],
      ['first', reason],
      ['first', null],
    ]);
    expect(calls.map((call) => call.reason)).toEqual([reason, reason, null]);
  });

  it('are tried once each', async () => {
    const { opened, openModel } = opening({ first: { answers: [answered(401)], keys: 3 } });
    expect((await askAgent({ context: { openModel } })).error).toMatchObject({ reason: 'provider_unauthorized' });
    expect(opened).toHaveLength(3);
  });

  it('make way for the next model when all are refused', async () => {
    const { opened, openModel } = opening({
      first: { answers: [answered(429)], keys: 2 },
      second: { answers: [fine] },
    });
    expect((await askAgent({ config: twoModels, context: { openModel } })).text).toBe('Fine.');
    expect(opened).toEqual(['first', 'first', 'second']);
  });

  it('are not changed for failures independent of the key', async () => {
    const { opened, reports, openModel } = opening({ first: { answers: [answered(400)], keys: 3 } });
    await askAgent({ context: { openModel } });
    expect(opened).toEqual(['first']);
    expect(reports).toEqual([['first', 'provider_failed']]);
  });

  it('are reported with the retry-after of the provider', async () => {
    const { reports, openModel } = opening({ first: { answers: [answered(429, { 'retry-after': '77' })] } });
    const { error } = await askAgent({ context: { openModel } });
    expect(error).toMatchObject({ reason: 'quota', retryAfterSeconds: 77 });
    expect(reports).toEqual([['first', 'quota', 77]]);
  });

  it('stay the same while an answer is written', async () => {
    const answers = [{ toolCalls: [{ toolName: 'x', input: {} }] }, fine];
    const { opened, openModel } = opening({ first: { answers, keys: 3 } });
    const tools = {
      list: async () => [{ name: 'x', description: 'x', parameters: {} }],
      call: async () => ({ text: 'x', failed: false }),
    };
    expect((await askAgent({ context: { openModel, tools } })).text).toBe('Fine.');
    expect(opened).toEqual(['first']);
  });
});

describe('a failure that may pass', () => {
  const again = { maximumRetries: 2, retryPauseMs: 1 };

  it('is tried again, as often as may be, and each request is recorded', async () => {
    const { openModel } = opening({ first: { answers: [answered(503), answered(500), fine] } });
    const { text, calls } = await askAgent({ agent: again, context: { openModel } });
    expect(text).toBe('Fine.');
    expect(calls.map(({ reason }) => reason)).toEqual(['provider_failed', 'provider_failed', null]);

    const never = opening({ first: { answers: [answered(503)] } });
    const failed = await askAgent({ agent: again, context: never });
    expect(failed.error).toMatchObject({ reason: 'provider_failed' });
    expect(failed.calls).toHaveLength(3);
    // The key is reported once.
    expect(never.reports).toEqual([['first', 'provider_failed']]);
  });

  it('is tried again once where there is another model', async () => {
    const { openModel } = opening({ first: { answers: [answered(503)] }, second: { answers: [fine] } });
    const { calls } = await askAgent({ agent: again, config: twoModels, context: { openModel } });
    expect(calls.map(({ model_uuid }) => model_uuid)).toEqual(['first', 'first', 'second']);
  });

  it.each([400, 401, 404])('is not %d', async (status) => {
    const { openModel } = opening({ first: { answers: [answered(status), fine] } });
    expect((await askAgent({ agent: again, context: { openModel } })).calls).toHaveLength(1);
  });

  it('is retried after the retry-after of the provider, when that is short', async () => {
    const { openModel } = opening({ first: { answers: [answered(429, { 'retry-after': '1' }), fine] } });
    const started = performance.now();
    expect((await askAgent({ agent: again, context: { openModel } })).text).toBe('Fine.');
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it.each(['6', '3600'])('is not waited for %s seconds', async (seconds) => {
    const { openModel } = opening({
      first: { answers: [answered(429, { 'retry-after': seconds }), fine] },
      second: { answers: [{ chunks: ['Second.'] }] },
    });
    const { text, calls } = await askAgent({ agent: again, config: twoModels, context: { openModel } });
    expect(text).toBe('Second.');
    expect(calls).toHaveLength(2);
  });

  it('of too many requests without retry-after falls back to another model', async () => {
    const models = { first: { answers: [answered(429), fine] }, second: { answers: [{ chunks: ['Second.'] }] } };
    expect((await askAgent({ agent: again, config: twoModels, context: opening(models) })).text).toBe('Second.');
    // Alone, it is tried again.
    expect((await askAgent({ agent: again, context: opening(models) })).text).toBe('Fine.');
  });

  it('is not waited for when the answer is aborted', async () => {
    const controller = new AbortController();
    const reason = new ParleyError('cancelled', 'x');
    const { openModel } = opening({ first: { answers: [answered(429, { 'retry-after': '5' }), fine] } });
    const asking = askAgent({ agent: again, context: { openModel }, signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    const started = performance.now();
    expect((await asking).error).toBe(reason);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('files created by a model', () => {
  const file = (mediaType: string, data = 'AAAA') => ({ mediaType, data });
  const attachments = async (answer: object) => {
    const { openModel } = opening({ first: { answers: [answer] } });
    const { deltas, error } = await askAgent({ context: { openModel } });
    expect(error).toBeUndefined();
    return deltas.flatMap((delta) => (delta.type === 'attachment' ? delta.element : []));
  };

  it('is handed on, with or without text', async () => {
    const files = [file('image/png'), file('application/pdf'), file('text/plain'), file('audio/x-what;rate=1')];
    const expected = [
      { type: 'Image', base64: 'data:image/png;base64,AAAA' },
      { type: 'File', name: 'file.pdf', base64: 'data:application/pdf;base64,AAAA' },
      { type: 'File', name: 'file.txt', base64: 'data:text/plain;base64,AAAA' },
      { type: 'File', name: 'file.bin', base64: 'data:audio/x-what;rate=1;base64,AAAA' },
    ];
    expect(await attachments({ files })).toEqual(expected);
    expect(await attachments({ files, chunks: ['Here.'] })).toEqual(expected);
  });

  it('is bounded in number and size', async () => {
    expect(await attachments({ files: Array.from({ length: 30 }, () => file('image/png')) })).toHaveLength(10);
    expect(await attachments({ files: [file('image/png', 'A'.repeat(29_000_000)), file('image/png')] })).toHaveLength(
      0,
    );
  });
});

describe('ai.local-agent.max-answer-seconds: the time of an answer', () => {
  function* forever() {
    for (;;) yield 'and so on ';
  }

  it('ends, and its text stays', async () => {
    const { openModel } = opening({ first: { answers: [{ chunks: forever(), delayMs: 5 }] } });
    const config = { model: { primary: 'first', fallbacks: [] }, 'max-answer-seconds': 1 };
    const { text, error, calls } = await askAgent({ config, context: { openModel } });
    expect(text).toMatch(/^(and so on )+$/);
    expect(error).toMatchObject({ name: 'ParleyError', reason: 'time_limit' });
    expect(calls).toMatchObject([{ reason: 'time_limit' }]);
  });

  it('is shared by all models', async () => {
    const { opened, openModel } = opening({});
    const slow = async (uuid: string) => {
      const model = await openModel(uuid);
      return { ...model, model: fakeLanguageModel({ chunks: ['x'], delayMs: 700 }) };
    };
    const config = { ...twoModels, 'max-answer-seconds': 1 };
    const agent = { silenceTimeoutMs: 500 };
    expect((await askAgent({ config, agent, context: { openModel: slow } })).error).toMatchObject({
      reason: 'time_limit',
    });
    expect(opened).toEqual(['first', 'second']);
  });

  it('that was aborted is recorded with its reason', async () => {
    const controller = new AbortController();
    const reason = new ParleyError('cancelled', 'x');
    const { openModel } = opening({ first: { answers: [{ chunks: forever(), delayMs: 5 }] } });
    const watch = () => controller.abort(reason);
    const { error, calls } = await askAgent({ context: { openModel }, signal: controller.signal, watch });
    expect(error).toBe(reason);
    expect(calls).toMatchObject([{ reason: 'cancelled', first_piece_milliseconds: expect.any(Number) }]);
  });
});
