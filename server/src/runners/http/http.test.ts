import type { MediaContent, MessageChain } from '@parley/sdk';
import { fakeRunnerMemory, pipelineMessage, runnerContract } from '@parley/sdk/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askRunner, type Question } from '../../kit/services/testing/ask-runner.ts';
import { type FakeFault, sse } from '../../kit/services/testing/fake-service.ts';
import { serviceFaultTests } from '../../kit/services/testing/service-fault-tests.ts';
import { httpApi } from './index.ts';
import { type FakeHttpService, headerValue, startFakeHttpService } from './testing/fake-http-service.ts';

let fake: FakeHttpService;
beforeAll(async () => {
  fake = await startFakeHttpService();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.respond();
  fake.requests.length = 0;
});

const config = (over: object = {}) => {
  return { url: fake.url, 'header-name': 'Authorization', 'header-value': headerValue, timeout: 10, ...over };
};
const ask = ({ config: over, ...question }: Question = {}) => askRunner(httpApi, { config: config(over), ...question });
const sent = () => fake.requests.at(-1)?.json;
const events = 'text/event-stream';
const ndjson = 'application/x-ndjson';
const answered = (body: string, type = 'application/json'): FakeFault => {
  return { kind: 'answer', status: 200, body, headers: { 'content-type': type } };
};

runnerContract({
  runner: httpApi,
  config: () => config(),
  endlessConfig: () => {
    fake.meet({ kind: 'stream', type: events, pieces: sse({ delta: 'and so on, ' }), ending: 'on and on' });
    return config();
  },
});

serviceFaultTests({
  runner: httpApi,
  service: () => fake,
  config: (url) => ({ url, 'header-name': 'Authorization', 'header-value': headerValue, timeout: 0.3 }),
  secret: headerValue,
  stream: { type: events, begin: sse({ delta: 'Hel' }), more: sse({ delta: 'and so on, '.repeat(5000) })[0] as string },
  empty: answered('{}'),
  malformed: {
    'JSON that ends too early': answered('{"text": "Hel'),
    'JSON that is neither object nor text': answered('[1, 2]'),
    'an event that is not JSON': answered('data: {"delta"\n\n', events),
    'a line that is not JSON': answered('{"delta": "Hel"}\n{delta}\n', ndjson),
    'a last line that is not whole': answered('{"delta": "Hel"}\n{"delta"', ndjson),
    'a file': answered('%PDF-1.7', 'application/pdf'),
    'an attachment of another type': answered('{"text": "x", "attachments": [{"type": "At", "target": "1"}]}'),
    'an attachment without content': answered('{"text": "x", "attachments": [{"type": "Image"}]}'),
    'an attachment out of our own storage': answered('{"text": "x", "attachments": [{"type": "Image", "path": "a"}]}'),
    'an attachment with another address': answered('{"attachments": [{"type": "Image", "url": "file:///etc/passwd"}]}'),
    'an attachment with unknown fields': answered('{"attachments": [{"type": "Image", "base64": "AA", "x": 1}]}'),
  },
  reported: {
    'a failure as a text': {
      fault: answered('data: {"delta": "Hel"}\n\ndata: {"error": "Out of paper"}\n\n', events),
      reason: 'provider_failed',
      message: 'HTTP service answered 500: Out of paper.',
    },
    'a failure with a status': {
      fault: answered('{"error": {"status": 429, "message": "Slowly"}}'),
      reason: 'quota',
      message: 'takes no more requests',
    },
  },
  huge: answered('x'.repeat(1_000_001), 'text/plain'),
});

describe('a question', () => {
  it('contains the text, the history, and the documented variables only', async () => {
    await ask({
      text: 'Good morning',
      message: pipelineMessage({ uuid: '019a9d2e-0000-7000-8000-000000000001' }),
      history: [
        { role: 'user', text: 'Hi', message_chain: [{ type: 'Image', path: 'hidden' }] },
        { role: 'assistant', text: 'Hello', message_chain: [] },
      ],
      variables: { sender_name: 'Ada', _internal: 'x' },
      instructions: 'Be brief.',
    });
    expect(fake.requests[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(sent()).toEqual({
      message_id: '019a9d2e-0000-7000-8000-000000000001',
      conversation_id: null,
      text: 'Good morning',
      message_chain: [{ type: 'Plain', text: 'Good morning' }],
      history: [
        { role: 'user', text: 'Hi' },
        { role: 'assistant', text: 'Hello' },
      ],
      instructions: 'Be brief.',
      variables: { sender_name: 'Ada' },
    });
  });

  it('continues the conversation that the service named, and restarts when it is gone', async () => {
    const memory = fakeRunnerMemory();
    expect((await ask({ context: { memory } })).text).toBe('1: Hi');
    expect((await ask({ context: { memory } })).text).toBe('2: Hi');
    expect(sent().conversation_id).toBe(await memory.read());
    expect((await ask()).text).toBe('1: Hi');
    fake.forget();
    fake.requests.length = 0;
    expect((await ask({ context: { memory } })).text).toBe('1: Hi');
    expect(fake.requests.map(({ json }) => json.conversation_id)).toEqual([expect.any(String), null]);
    expect((await ask({ context: { memory } })).text).toBe('2: Hi');
    const missing: FakeFault = { kind: 'answer', status: 404 };
    fake.meet(missing, missing);
    expect((await ask({ context: { memory } })).error?.message).toBe('HTTP service answered 404.');
  });
});

describe('an answer', () => {
  it.each<[string, unknown, string | undefined, string]>([
    ['JSON with a text', { text: 'yes' }, undefined, 'yes'],
    ['JSON with an answer', { answer: 'yes' }, 'application/problem+json', 'yes'],
    ['JSON that is a text', '"yes"', undefined, 'yes'],
    ['plain text', 'yes {', 'text/plain; charset=utf-8', 'yes {'],
    ['no media type', 'yes', '', 'yes'],
    ['events', sse({ delta: 'y' }, { delta: 'es' }).join(''), events, 'yes'],
    ['events until they are done', sse({ delta: 'yes', done: true }, { delta: ' no' }).join(''), events, 'yes'],
    ['events until the common end marker', sse({ delta: 'yes' }, '[DONE]', { delta: ' no' }).join(''), events, 'yes'],
    ['lines', '{"delta":"y"}\n{"delta":"es"}\n', ndjson, 'yes'],
    ['lines until they are done', '{"delta":"yes"}\n{"done":true}\n{"delta":" no"}', 'application/jsonl', 'yes'],
  ])('may be %s', async (_, body, mediaType, text) => {
    fake.respond(body, mediaType);
    expect(await ask()).toMatchObject({ text, error: undefined });
  });

  it('is shown as it grows', async () => {
    for (const [type, pieces] of [
      [events, sse({ delta: 'Hel' }, { delta: 'lo' })],
      [ndjson, ['{"delta":"Hel"}\n', '{"delta":"lo"}\n']],
    ] as const) {
      fake.meet({ kind: 'stream', type, pieces: [...pieces], ending: 'silence' });
      const controller = new AbortController();
      const seen: string[] = [];
      await ask({
        signal: controller.signal,
        watch: (delta) => {
          if (delta.type === 'text') seen.push(delta.text);
          if (seen.length === 2) controller.abort();
        },
      });
      expect(seen).toEqual(['Hel', 'lo']);
    }
  });

  it('may contain thoughts, tools, files and token usage', async () => {
    const image = { type: 'Image', base64: 'data:image/png;base64,AAAA' };
    const file = { type: 'File', name: 'a.pdf', url: 'https://x.example/a.pdf' };
    const usage = { input_tokens: 12, output_tokens: 3, model: 'large' };
    fake.respond({
      reasoning: 'hm',
      tool: 'look_up',
      text: 'yes',
      attachments: [image, { ...file, path: 'x' }],
      usage,
    });
    const answer = await ask();
    expect(answer).toMatchObject({ text: 'yes', reasoning: 'hm', tools: ['look_up'], error: undefined });
    expect(answer.attachments).toEqual([image, file]);
    expect(answer.calls).toMatchObject([{ model_uuid: null, model_name: 'large', input_tokens: 12, output_tokens: 3 }]);
    fake.respond({ attachments: [image] });
    expect(await ask()).toMatchObject({ attachments: [image], error: undefined });
  });

  it('keeps at most ten files', async () => {
    fake.respond({ text: 'x', attachments: new Array(12).fill({ type: 'Image', base64: 'AAAA' }) });
    expect((await ask()).attachments).toHaveLength(10);
  });

  it('may contain useless data', async () => {
    const memory = fakeRunnerMemory();
    fake.respond({
      text: 'yes',
      conversation_id: 'x'.repeat(20_000),
      usage: 'much',
      tool: 7,
      unknown: true,
      error: null,
    });
    expect(await ask({ context: { memory } })).toMatchObject({ text: 'yes', error: undefined, calls: [], tools: [] });
    expect(await memory.read()).toBeNull();
    fake.respond({ text: 'yes', conversation_id: 17 });
    await ask({ context: { memory } });
    expect(await memory.read()).toBe('17');
  });
});

describe('the configuration', () => {
  const media: Record<string, MediaContent> = {
    stored: { name: 'a.png', media_type: 'image/png', bytes: new Uint8Array([1, 2, 3]) },
  };
  const inside: MessageChain = [{ type: 'Voice', path: 'stored', base64: 'AAAA' }];
  const chain: MessageChain = [
    { type: 'Plain', text: 'Look' },
    { type: 'Image', path: 'stored', url: '/files/stored' },
    { type: 'File', name: 'gone.txt', path: 'gone' },
    { type: 'Image', url: 'https://x.example/b.png' },
    { type: 'Quote', id: 1, origin: inside },
  ];

  it('ai.http-api.url: is called', async () => {
    await ask({ config: { url: ` ${fake.url}/ask?bot=1 ` } });
    expect(fake.requests[0]?.path).toBe('/ask?bot=1');
    const { error } = await ask({ config: { url: ' ' } });
    expect(error).toMatchObject({ reason: 'invalid_request' });
    expect(fake.requests).toHaveLength(1);
  });

  it('ai.http-api.header-name and ai.http-api.header-value: are sent with each call', async () => {
    await ask({ config: { 'header-name': 'X-Key', 'header-value': 'value' } });
    expect(fake.requests[0]?.headers['x-key']).toBe('value');
    const without = await ask({ config: { 'header-name': '', 'header-value': headerValue } });
    expect(without.error).toMatchObject({ reason: 'provider_unauthorized' });
    expect(JSON.stringify(fake.requests[1]?.headers)).not.toContain(headerValue);
    const broken = await ask({ config: { 'header-name': 'not a name' } });
    expect(broken.error).toMatchObject({ reason: 'invalid_request' });
  });

  it('ai.http-api.timeout: limits the time without data, and 0 uses the default', async () => {
    fake.meet({ kind: 'silence' });
    const started = performance.now();
    expect((await ask({ config: { timeout: 0.05 } })).error).toMatchObject({ reason: 'provider_timeout' });
    expect(performance.now() - started).toBeLessThan(5000);
    expect((await ask({ config: { timeout: 0 } })).text).toBe('1: Hi');
  });

  it('ai.http-api.send-files: sends file contents, and never their paths', async () => {
    await ask({ message_chain: chain, context: { media } });
    expect(sent().message_chain).toEqual([
      { type: 'Plain', text: 'Look' },
      { type: 'Image', url: '/files/stored', base64: 'data:image/png;base64,AQID' },
      { type: 'File', name: 'gone.txt' },
      { type: 'Image', url: 'https://x.example/b.png' },
      { type: 'Quote', id: 1, origin: [{ type: 'Voice', base64: 'AAAA' }] },
    ]);
  });

  it('ai.http-api.send-files: false sends no contents', async () => {
    await ask({ message_chain: chain, context: { media }, config: { 'send-files': false } });
    expect(sent().message_chain[1]).toEqual({ type: 'Image', url: '/files/stored' });
    expect(JSON.stringify(sent())).not.toContain('base64');
    expect(JSON.stringify(sent())).not.toContain('path');
  });

  it('files beyond the limit are not sent', async () => {
    const large = { ...media.stored, bytes: new Uint8Array(20 * 1024 * 1024) } as MediaContent;
    const pictures: MessageChain = new Array(3).fill({ type: 'Image', path: 'large' });
    await ask({ message_chain: pictures, context: { media: { large } } });
    const contents = sent().message_chain.map((element: { base64?: string }) => element.base64 !== undefined);
    expect(contents).toEqual([true, false, false]);
    const many: MessageChain = new Array(12).fill({ type: 'Image', path: 'stored' });
    await ask({ message_chain: many, context: { media } });
    expect(sent().message_chain.filter((element: { base64?: string }) => element.base64 !== undefined)).toHaveLength(
      10,
    );
  });
});
