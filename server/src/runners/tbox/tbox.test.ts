import type { MessageElement } from '@parley/sdk';
import { fakeRunnerMemory, pipelineMessage, runnerContract } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRunner, type Question } from '../../kit/services/testing/ask-runner.ts';
import type { FakeFault } from '../../kit/services/testing/fake-service.ts';
import { serviceFaultTests } from '../../kit/services/testing/service-fault-tests.ts';
import { endlessTexts, namedEvent } from '../../kit/services/testing/service-parts.ts';
import { createTbox } from './index.ts';
import { type FakeTbox, startFakeTbox, tboxEvent } from './testing/fake-tbox.ts';

const tbox = createTbox({ silenceTimeoutMs: 10_000 });

let service: FakeTbox;
beforeEach(async () => {
  service = await startFakeTbox();
});
afterEach(() => service.close());

const config = (over: object = {}) => ({
  'base-url': service.url,
  'api-key': service.apiKey,
  'app-id': service.appId,
  ...over,
});
const ask = (question: Question = {}, over: object = {}) => askRunner(tbox, { ...question, config: config(over) });
const lastBody = () => service.requests.at(-1)?.json;
const conversationsAsked = () => service.requests.map(({ json }) => json.conversationId);

runnerContract({
  runner: tbox,
  config: () => config(),
  endlessConfig: () => {
    service.answer.texts = endlessTexts();
    service.answer.delayMs = 1;
    return config();
  },
});

const chunk = (text: string, lane = 'default') => tboxEvent({ type: 'chunk', lane, payload: JSON.stringify({ text }) });
const stream = (...pieces: string[]): FakeFault => {
  return { kind: 'stream', type: 'text/event-stream', pieces, ending: 'end' };
};
const body = (value: unknown): FakeFault => ({ kind: 'answer', status: 200, body: JSON.stringify(value) });

serviceFaultTests({
  runner: createTbox({ silenceTimeoutMs: 1000 }),
  service: () => service,
  config: (url) => ({ 'base-url': url, 'api-key': 'pat_secret_1234567', 'app-id': '1' }),
  secret: 'pat_secret_1234567',
  stream: { type: 'text/event-stream', begin: [chunk('Well, ')], more: chunk('and so on, '.repeat(1000)) },
  empty: stream(tboxEvent({ type: 'end' })),
  malformed: {
    'an event that is no JSON': stream(chunk('Well, '), 'event: message\ndata: {"half\n\n'),
    'an event that is no object': stream(chunk('Well, '), 'event: message\ndata: []\n\n'),
    'chunks without a payload': stream(
      tboxEvent({ type: 'chunk', payload: '{"half' }),
      tboxEvent({ type: 'chunk', payload: '[]' }),
      tboxEvent({ type: 'chunk' }),
    ),
    'an answer that is no JSON': { kind: 'answer', status: 200, body: '{"data":' },
    'an answer that is a list': body([]),
  },
  reported: {
    'an error in the stream': {
      fault: stream(
        chunk('Well, '),
        tboxEvent({ type: 'error', payload: '{"errorCode":"500","errorMsg":"broken: pat_secret_1234567"}' }),
      ),
      reason: 'provider_failed',
      message: 'broken',
    },
    'an error next to the payload': {
      fault: stream(tboxEvent({ type: 'error', errorCode: '429', errorMsg: 'slower' })),
      reason: 'quota',
      message: 'limit',
    },
    'an error with a description': {
      fault: stream(namedEvent('error', { description: 'no model' })),
      reason: 'provider_failed',
      message: 'no model',
    },
    'an error without a word': {
      fault: stream(tboxEvent({ type: 'error' })),
      reason: 'provider_failed',
      message: 'the application failed',
    },
    'an answer that was taken back': {
      fault: stream(chunk('Well, '), tboxEvent({ type: 'revoke', payload: '{}' })),
      reason: 'provider_failed',
      message: 'retracted its answer',
    },
    'an error instead of a stream': {
      fault: body({ errorCode: 'APP_NOT_EXIST', errorMsg: 'no application: pat_secret_1234567' }),
      reason: 'provider_failed',
      message: 'no application',
    },
    'a token that is not valid': {
      fault: body({ errorCode: '401', errorMsg: '' }),
      reason: 'provider_unauthorized',
      message: 'does not accept the key',
    },
  },
  huge: stream(...new Array(200).fill(chunk('word '.repeat(2000)))),
});

describe('a question', () => {
  it('is sent to the application, on behalf of its sender', async () => {
    const answered = await ask({
      text: 'What is the answer?',
      message: pipelineMessage({ session_type: 'group', session_id: 'group-1', sender_id: 'ada' }),
      variables: { sender_name: 'Ada', _inner: 'secret' },
    });
    expect(answered).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(lastBody()).toEqual({
      appId: service.appId,
      query: 'What is the answer?',
      userId: 'ada',
      stream: true,
    });
  });

  it('is preceded by additional instructions', async () => {
    await ask({ text: 'Hi', instructions: 'Be brief.' });
    expect(lastBody().query).toBe('Be brief.\n\nHi');
  });

  const cat = { name: 'cat.png', media_type: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) };
  const picture: MessageElement = { type: 'Image', path: 'cat' };

  it('goes with its files, which are uploaded first', async () => {
    const message_chain: MessageElement[] = [
      { type: 'Plain', text: 'Which animal? ' },
      picture,
      { type: 'File', path: 'list', name: 'list.txt' },
      { type: 'File', path: 'film' },
      { type: 'Voice', path: 'meow' },
      { type: 'Image', path: 'gone' },
    ];
    const media = {
      cat,
      list: { name: 'x', media_type: 'text/plain', bytes: new TextEncoder().encode('cats') },
      film: { name: 'film.mp4', media_type: 'video/mp4', bytes: new Uint8Array(2) },
      meow: { name: 'voice', media_type: 'audio/ogg', bytes: new Uint8Array(3) },
    };
    expect(await ask({ message_chain, context: { media } })).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect([...service.files.values()].map(({ name, type }) => [name, type])).toEqual([
      ['cat.png', 'image/png'],
      ['list.txt', 'text/plain'],
      ['film.mp4', 'video/mp4'],
      ['voice.ogg', 'audio/ogg'],
    ]);
    expect(lastBody()).toMatchObject({
      query: 'Which animal? [Image]',
      files: [
        { type: 'IMAGE', fileId: 'file-1' },
        { type: 'FILE', fileId: 'file-2' },
        { type: 'VIDEO', fileId: 'file-3' },
        { type: 'AUDIO', fileId: 'file-4' },
      ],
    });
  });

  it('goes without a file that the service refuses', async () => {
    service.meet(body({ errorCode: '400', errorMsg: 'files of this kind are not taken' }));
    await ask({ text: '[Image]', message_chain: [picture], context: { media: { cat } } });
    expect(lastBody().query).toBe('[Image]');
    expect(lastBody().files).toBeUndefined();
  });

  it.each<[string, FakeFault, RegExp]>([
    ['cannot take a file now', body({ errorCode: '500', errorMsg: 'storage is full' }), /storage is full/],
    ['does not return a file id', body({ errorCode: '0' }), /does not name the file/],
  ])('is not sent when the service %s', async (_, fault, message) => {
    service.meet(fault);
    const { error } = await ask({ message_chain: [picture], context: { media: { cat } } });
    expect(error?.message).toMatch(message);
    expect(service.requests).toHaveLength(1);
  });
});

describe('the conversation', () => {
  it('continues, also after a restart', async () => {
    const memory = fakeRunnerMemory();
    await ask({ context: { memory } });
    const remembered = await memory.read();
    expect(service.conversations).toEqual(new Set([remembered]));
    await ask({ context: { memory: fakeRunnerMemory(remembered) } });
    expect(conversationsAsked()).toEqual([undefined, remembered]);
  });

  it('restarts, once, when the service no longer knows it', async () => {
    const memory = fakeRunnerMemory('lost');
    expect(await ask({ context: { memory } })).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(conversationsAsked()).toEqual(['lost', undefined]);
    expect(service.conversations).toEqual(new Set([await memory.read()]));
  });

  it('does not restart for any other reason', async () => {
    service.meet(body({ errorCode: '500', errorMsg: 'busy' }));
    const memory = fakeRunnerMemory('stored');
    expect((await ask({ context: { memory } })).error).toMatchObject({ reason: 'provider_failed' });
    expect(conversationsAsked()).toEqual(['stored']);
    expect(await memory.read()).toBe('stored');
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

  it('in several lanes has them apart', async () => {
    service.answer.extra = [chunk('And more', 'other'), chunk('.', 'other')];
    expect(await ask()).toMatchObject({ text: 'Forty-two.\n\nAnd more.', error: undefined });
  });

  it('has its thoughts and pictures separately, and no internal output', async () => {
    service.answer.extra = [
      tboxEvent({ type: 'thinking', payload: '{"ext_data":{"text":"Hm."}}' }),
      tboxEvent({ type: 'chunk', lane: 'pictures', payload: { url: ['https://files.test/a.png', 'file:///etc'] } }),
      tboxEvent({ type: 'chunk', lane: 'pictures', payload: { url: 'https://files.test/b.png' } }),
      tboxEvent({ type: 'followup', payload: '{"text":"Ask me more"}' }),
      tboxEvent({ type: 'charge', payload: '{"text":"1 credit"}' }),
      tboxEvent({ hello: true }),
    ];
    expect(await ask()).toMatchObject({
      text: 'Forty-two.',
      reasoning: 'Hm.',
      attachments: [
        { type: 'Image', url: 'https://files.test/a.png' },
        { type: 'Image', url: 'https://files.test/b.png' },
      ],
      error: undefined,
    });
  });

  it('may come as a whole', async () => {
    const memory = fakeRunnerMemory();
    const data = {
      conversationId: 'c-1',
      reasoningContent: [{ text: 'Hm.' }],
      result: [{ chunk: 'All at once.' }, {}],
    };
    service.meet(body({ errorCode: '0', errorMsg: 'success', data }));
    expect(await ask({ context: { memory } })).toMatchObject({ text: 'All at once.', reasoning: 'Hm.' });
    expect(await memory.read()).toBe('c-1');
  });
});

describe('the configuration', () => {
  it('ai.tbox-app-api.api-key: goes with each call', async () => {
    expect((await ask({}, { 'api-key': 'pat_other' })).error).toMatchObject({ reason: 'provider_unauthorized' });
    await ask();
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(['pat_other', service.apiKey]);
  });

  it('ai.tbox-app-api.app-id: is the application that answers', async () => {
    await ask({}, { 'app-id': 'another' });
    expect(lastBody().appId).toBe('another');
  });

  it('ai.tbox-app-api.base-url: is where the service is, with a slash at the end or not', async () => {
    expect(await ask({}, { 'base-url': `${service.url}/` })).toMatchObject({ text: 'Forty-two.' });
    const other = await startFakeTbox();
    await other.close();
    expect((await ask({}, { 'base-url': other.url })).error?.message).toMatch(/could not be reached/);
  });

  it.each(['api-key', 'app-id', 'base-url'])('requires %s', async (field) => {
    for (const empty of ['', ' ', `your-${field}`]) {
      const { error } = await ask({}, { [field]: empty });
      const reason = field === 'api-key' ? 'provider_unauthorized' : 'invalid_request';
      expect(error).toMatchObject({ reason, message: expect.stringContaining(field) });
    }
    expect(service.requests).toEqual([]);
  });
});
