import type { ConversationTurn, MessageElement } from '@parley/sdk';
import { fakeRunnerMemory, runnerContract } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRunner, type Question } from '../../kit/services/testing/ask-runner.ts';
import type { FakeFault } from '../../kit/services/testing/fake-service.ts';
import { serviceFaultTests } from '../../kit/services/testing/service-fault-tests.ts';
import { endlessTexts } from '../../kit/services/testing/service-parts.ts';
import { openAiResponses } from './index.ts';
import { type FakeResponses, responsesEvent, startFakeResponses, textDelta } from './testing/fake-responses.ts';

let service: FakeResponses;
beforeEach(async () => {
  service = await startFakeResponses();
});
afterEach(() => service.close());

const config = (over: object = {}) => ({
  'base-url': service.baseUrl,
  'api-key': service.apiKey,
  model: 'gpt-test',
  timeout: 10,
  ...over,
});
const ask = (question: Question = {}, over: object = {}) =>
  askRunner(openAiResponses, { ...question, config: config(over) });
const lastBody = () => service.requests.at(-1)?.json;
const previousAsked = () => service.requests.map(({ json }) => json.previous_response_id);

runnerContract({
  runner: openAiResponses,
  config: () => config(),
  endlessConfig: () => {
    service.answer.texts = endlessTexts();
    service.answer.delayMs = 1;
    return config();
  },
});

const completed = (over: object = {}) =>
  responsesEvent({ type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [], ...over } });
const failed = (error: object | null) =>
  responsesEvent({ type: 'response.failed', response: { id: 'resp_1', status: 'failed', error } });
const stream = (...pieces: string[]): FakeFault => {
  return { kind: 'stream', type: 'text/event-stream', pieces, ending: 'end' };
};
const body = (value: unknown): FakeFault => ({ kind: 'answer', status: 200, body: JSON.stringify(value) });

serviceFaultTests({
  runner: openAiResponses,
  service: () => service,
  config: (url) => ({ 'base-url': url, 'api-key': 'sk-secret-1234567', model: 'm', timeout: 1 }),
  secret: 'sk-secret-1234567',
  stream: { type: 'text/event-stream', begin: [textDelta('Well, ')], more: textDelta('and so on, '.repeat(1000)) },
  empty: stream(completed()),
  malformed: {
    'an event that is no JSON': stream(textDelta('Well, '), 'data: {"half\n\n', completed()),
    'an event that is no object': stream(textDelta('Well, '), 'data: []\n\n', completed()),
    'a stream without an end': stream(textDelta('Well, ')),
    'an end without an id': stream(textDelta('Well, '), completed({ id: null })),
    'an answer that is no JSON': { kind: 'answer', status: 200, body: '{"id":' },
    'an answer that is a list': body([]),
  },
  reported: {
    'an answer that failed': {
      fault: stream(textDelta('Well, '), failed({ code: 'server_error', message: 'broken: sk-secret-1234567' })),
      reason: 'provider_failed',
      message: 'broken',
    },
    'an answer that failed without a word': {
      fault: stream(failed(null)),
      reason: 'provider_failed',
      message: 'no reason given',
    },
    'an error in the stream': {
      fault: stream(responsesEvent({ type: 'error', code: 'rate_limit_exceeded', message: 'slower' })),
      reason: 'quota',
      message: 'limit',
    },
    'an error in an error': {
      fault: stream(responsesEvent({ type: 'error', error: { code: 'invalid_api_key', message: 'who?' } })),
      reason: 'provider_unauthorized',
      message: 'does not accept the key',
    },
    'an answer that a filter stopped': {
      fault: stream(
        textDelta('Well, '),
        responsesEvent({
          type: 'response.incomplete',
          response: { id: 'resp_1', status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
        }),
      ),
      reason: 'provider_failed',
      message: 'filter',
    },
    'an error instead of a stream': {
      fault: body({ error: { code: 'invalid_prompt', message: 'no: sk-secret-1234567' } }),
      reason: 'provider_failed',
      message: 'no: ',
    },
  },
  huge: stream(...new Array(200).fill(textDelta('word '.repeat(2000))), completed()),
});

const history: ConversationTurn[] = [
  { role: 'user', text: 'Hello', message_chain: [] },
  { role: 'assistant', text: ' ', message_chain: [] },
  { role: 'assistant', text: 'Hi!', message_chain: [] },
];

describe('a question', () => {
  it('is sent to the model, with the history', async () => {
    const answered = await ask({ text: 'What is the answer?', history });
    expect(answered).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(lastBody()).toEqual({
      model: 'gpt-test',
      stream: true,
      input: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi!' },
        { role: 'user', content: 'What is the answer?' },
      ],
    });
    expect(answered.calls).toEqual([
      expect.objectContaining({
        model_uuid: null,
        model_name: 'gpt-test-2026-01-01',
        input_tokens: 21,
        output_tokens: 5,
        reason: null,
      }),
    ]);
  });

  it('goes with pictures and documents, and names other files', async () => {
    const media = {
      cat: { name: 'cat.png', media_type: 'image/png', bytes: new Uint8Array([1, 2, 3]) },
      list: { name: 'x', media_type: 'text/plain', bytes: new TextEncoder().encode('cats') },
      photo: { name: 'photo.webp', media_type: 'image/webp', bytes: new Uint8Array([4]) },
      drawing: { name: 'drawing.tiff', media_type: 'image/tiff', bytes: new Uint8Array([5]) },
      archive: { name: 'all.zip', media_type: 'application/zip', bytes: new Uint8Array([6]) },
    };
    const message_chain: MessageElement[] = [
      { type: 'Plain', text: 'Which? ' },
      { type: 'Image', path: 'cat' },
      { type: 'File', path: 'list', name: 'list.txt' },
      { type: 'File', path: 'photo', name: 'photo.webp' },
      { type: 'Image', path: 'drawing' },
      { type: 'File', path: 'archive', name: 'all.zip' },
      { type: 'Voice', path: 'meow' },
      { type: 'Image', path: 'gone' },
    ];
    await ask({ message_chain, context: { media } });
    expect(lastBody().input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Which? [Image][File]all.zip[Voice][Image]' },
          { type: 'input_image', image_url: 'data:image/png;base64,AQID' },
          { type: 'input_file', filename: 'list.txt', file_data: 'data:text/plain;base64,Y2F0cw==' },
          { type: 'input_image', image_url: 'data:image/webp;base64,BA==' },
        ],
      },
    ]);
    await ask({ text: '[Image]', message_chain: [{ type: 'Image', path: 'cat' }], context: { media } });
    expect(lastBody().input[0].content).toHaveLength(1);
  });
});

describe('the conversation', () => {
  it('is built upon the answer before, also after a restart', async () => {
    const memory = fakeRunnerMemory();
    await ask({ history, context: { memory } });
    const remembered = await memory.read();
    expect(service.stored).toEqual(new Set([remembered]));
    await ask({ text: 'And now?', history, context: { memory: fakeRunnerMemory(remembered) } });
    expect(lastBody()).toMatchObject({
      previous_response_id: remembered,
      input: [{ role: 'user', content: 'And now?' }],
    });
  });

  it('includes the full history when the service no longer has the answer', async () => {
    const memory = fakeRunnerMemory('resp_lost');
    expect(await ask({ history, context: { memory } })).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(previousAsked()).toEqual(['resp_lost', undefined]);
    expect(lastBody().input).toHaveLength(3);
    expect(service.stored).toEqual(new Set([await memory.read()]));
    await ask({ history, context: { memory } });
    expect(lastBody().input).toHaveLength(1);
  });

  it('includes the full history for a stateless service, which is detected once', async () => {
    service.isStateless = true;
    const memory = fakeRunnerMemory();
    for (let times = 0; times < 4; times += 1) {
      expect(await ask({ history, context: { memory } })).toMatchObject({ text: 'Forty-two.', error: undefined });
    }
    expect(previousAsked().map((previous) => previous !== undefined)).toEqual([false, true, false, false, false]);
    expect(lastBody().input).toHaveLength(3);
  });

  it('does not restart for any other reason', async () => {
    service.meet({ kind: 'answer', status: 400, body: '{"error":{"code":"invalid_prompt","message":"no"}}' });
    const memory = fakeRunnerMemory('resp_stored');
    expect((await ask({ context: { memory } })).error).toMatchObject({ reason: 'provider_failed' });
    expect(previousAsked()).toEqual(['resp_stored']);
    expect(await memory.read()).toBe('resp_stored');
  });

  it('is not built upon an answer that failed', async () => {
    const memory = fakeRunnerMemory();
    service.meet(stream(textDelta('Well, '), failed({ code: 'server_error', message: 'broken' })));
    await ask({ context: { memory } });
    expect(await memory.read()).toBeNull();
  });
});

describe('an answer', () => {
  it('is streamed as it arrives', async () => {
    service.answer.texts = endlessTexts();
    const controller = new AbortController();
    const heard: unknown[] = [];
    const watch = (delta: unknown) => void (heard.push(delta) === 3 && controller.abort('heard enough'));
    expect((await ask({ signal: controller.signal, watch })).error).toBe('heard enough');
    expect(heard).toEqual(new Array(3).fill({ type: 'text', text: 'and so on, ' }));
  });

  it('may be cut short by the limit of the service', async () => {
    const response = { id: 'resp_1', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    service.meet(stream(textDelta('Well, '), responsesEvent({ type: 'response.incomplete', response })));
    expect(await ask()).toMatchObject({ text: 'Well, ', error: undefined });
  });

  it('has its thoughts, tools and pictures separately, and several texts apart', async () => {
    const picture = { id: 'item-2', type: 'image_generation_call', result: 'AQID', output_format: 'webp' };
    service.answer.extra = [
      responsesEvent({ type: 'response.reasoning_summary_text.delta', item_id: 'r', delta: 'Hm.' }),
      responsesEvent({ type: 'response.reasoning_text.delta', item_id: 'r', delta: ' Yes.' }),
      responsesEvent({ type: 'response.output_item.added', item: { id: 'w', type: 'web_search_call' } }),
      responsesEvent({ type: 'response.output_item.added', item: { id: 'm', type: 'mcp_call', name: 'weather' } }),
      responsesEvent({ type: 'response.output_item.added', item: { id: 'f', type: 'function_call', name: 'x' } }),
      responsesEvent({ type: 'response.output_item.done', item: picture }),
      responsesEvent({ type: 'response.output_item.done', item: picture }),
      responsesEvent({ type: 'response.of.tomorrow', item: 7 }),
      textDelta('Really.', 'item-3'),
      responsesEvent({ type: 'response.refusal.delta', item_id: 'item-4', delta: 'No more.' }),
    ];
    expect(await ask()).toMatchObject({
      text: 'Forty-two.\n\nReally.\n\nNo more.',
      reasoning: 'Hm. Yes.',
      tools: ['web_search', 'weather'],
      attachments: [{ type: 'Image', base64: 'data:image/webp;base64,AQID' }],
      error: undefined,
    });
  });

  it('may come as a whole', async () => {
    const memory = fakeRunnerMemory();
    const content = [
      { type: 'output_text', text: 'All at ' },
      { type: 'output_text', text: 'once.' },
    ];
    const output = [
      { id: 'item-1', type: 'message', content },
      { id: 'item-2', type: 'message', content: [{ type: 'refusal', refusal: 'No more.' }] },
      { id: 'item-3', type: 'reasoning', content: [{ text: 'Hm.' }] },
      { id: 'item-4', type: 'image_generation_call', result: 'AQID' },
      null,
    ];
    service.meet(body({ id: 'resp_1', object: 'response', status: 'completed', output, error: null }));
    expect(await ask({ context: { memory } })).toMatchObject({
      text: 'All at once.\n\nNo more.',
      attachments: [{ type: 'Image', base64: 'data:image/png;base64,AQID' }],
      calls: [],
      error: undefined,
    });
    expect(await memory.read()).toBe('resp_1');
  });

  it('is returned once, also when the end repeats it', async () => {
    const output = [{ id: 'item-1', type: 'message', content: [{ type: 'output_text', text: 'Once.' }] }];
    const usage = { input_tokens: 1, output_tokens: 1 };
    service.meet(stream(textDelta('Once.'), completed({ output, usage })));
    const { text, calls } = await ask();
    expect([text, calls[0]?.model_name]).toEqual(['Once.', 'gpt-test']);
  });
});

describe('the configuration', () => {
  it('ai.openai-responses.base-url: is where the service is, with a slash at the end or not', async () => {
    expect(await ask({}, { 'base-url': `${service.baseUrl}/` })).toMatchObject({ text: 'Forty-two.' });
    const other = await startFakeResponses();
    await other.close();
    expect((await ask({}, { 'base-url': other.baseUrl })).error?.message).toMatch(/could not be reached/);
  });

  it('ai.openai-responses.api-key: goes with each call, where there is one', async () => {
    expect((await ask({}, { 'api-key': 'sk-another' })).error).toMatchObject({ reason: 'provider_unauthorized' });
    await ask();
    await ask({}, { 'api-key': '' });
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-another',
      `Bearer ${service.apiKey}`,
      undefined,
    ]);
  });

  it('ai.openai-responses.model: is the model that answers', async () => {
    await ask({}, { model: 'another' });
    expect(lastBody().model).toBe('another');
  });

  it('ai.openai-responses.instructions: are sent each time, followed by additional instructions', async () => {
    await ask({}, { instructions: 'Be kind.' });
    expect(lastBody().instructions).toBe('Be kind.');
    await ask({ instructions: 'Be brief.' }, { instructions: 'Be kind.' });
    expect(lastBody().instructions).toBe('Be kind.\n\nBe brief.');
    await ask({ instructions: 'Be brief.' });
    expect(lastBody().instructions).toBe('Be brief.');
  });

  it('ai.openai-responses.timeout: is how long the service may be silent, in seconds', async () => {
    service.answer.headersAfterMs = 300;
    expect((await ask({}, { timeout: 0.1 })).error).toMatchObject({ reason: 'provider_timeout' });
    expect(await ask({}, { timeout: 10 })).toMatchObject({ text: 'Forty-two.' });
  });

  it.each(['model', 'base-url'])('requires %s', async (field) => {
    for (const empty of ['', ' ']) {
      const { error } = await ask({}, { [field]: empty });
      expect(error).toMatchObject({ reason: 'invalid_request', message: expect.stringContaining(field) });
    }
    expect(service.requests).toEqual([]);
  });
});
