import type { ConversationTurn, MessageElement } from '@parley/sdk';
import { fakeRunnerMemory, pipelineMessage, runnerContract } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRunner, type Question } from '../../kit/services/testing/ask-runner.ts';
import type { FakeFault } from '../../kit/services/testing/fake-service.ts';
import { serviceFaultTests } from '../../kit/services/testing/service-fault-tests.ts';
import { endlessTexts, namedEvent } from '../../kit/services/testing/service-parts.ts';
import { coze } from './index.ts';
import { cozeMessage, type FakeCoze, startFakeCoze } from './testing/fake-coze.ts';

let service: FakeCoze;
beforeEach(async () => {
  service = await startFakeCoze();
});
afterEach(() => service.close());

const config = (over: object = {}) => ({
  'api-base': service.url,
  'api-key': service.apiKey,
  'bot-id': service.botId,
  timeout: 10,
  ...over,
});
const ask = (question: Question = {}, over: object = {}) => askRunner(coze, { ...question, config: config(over) });
const lastBody = () => service.requests.at(-1)?.json;
const conversationsAsked = () =>
  service.requests.map(({ path }) => new URL(path, 'http://localhost').searchParams.get('conversation_id'));

runnerContract({
  runner: coze,
  config: () => config(),
  endlessConfig: () => {
    service.answer.texts = endlessTexts();
    service.answer.delayMs = 1;
    return config();
  },
});

const delta = (content: string) => cozeMessage('conversation.message.delta', { content });
const stream = (...pieces: string[]): FakeFault => {
  return { kind: 'stream', type: 'text/event-stream', pieces, ending: 'end' };
};
const body = (value: unknown): FakeFault => ({ kind: 'answer', status: 200, body: JSON.stringify(value) });
const done = namedEvent('done', '[DONE]');

serviceFaultTests({
  runner: coze,
  service: () => service,
  config: (url) => ({ 'api-base': url, 'api-key': 'pat_secret_1234567', 'bot-id': '1', timeout: 1 }),
  secret: 'pat_secret_1234567',
  stream: { type: 'text/event-stream', begin: [delta('Well, ')], more: delta('and so on, '.repeat(1000)) },
  empty: stream(done),
  malformed: {
    'an event that is no JSON': stream(delta('Well, '), 'event: conversation.message.delta\ndata: {"half\n\n', done),
    'a stream without an end': stream(delta('Well, ')),
    'an answer that is no stream': body({ code: 0, msg: '', data: { id: 'chat-1' } }),
    'an answer that is a list': body([]),
  },
  reported: {
    'a chat that failed': {
      fault: stream(
        delta('Well, '),
        namedEvent('conversation.chat.failed', { last_error: { code: 5000, msg: 'broken: pat_secret_1234567' } }),
      ),
      reason: 'provider_failed',
      message: 'broken',
    },
    'a chat that failed without a word': {
      fault: stream(namedEvent('conversation.chat.failed', {})),
      reason: 'provider_failed',
      message: 'the chat failed',
    },
    'an error in the stream': {
      fault: stream(namedEvent('error', { code: 4009, msg: 'no credit' })),
      reason: 'quota',
      message: 'limit',
    },
    'a chat that requires a client-side plugin': {
      fault: stream(namedEvent('conversation.chat.requires_action', { id: 'chat-1' })),
      reason: 'provider_failed',
      message: 'requires a plugin',
    },
    'an error instead of a stream': {
      fault: body({ code: 4000, msg: 'out of order: pat_secret_1234567' }),
      reason: 'provider_failed',
      message: 'out of order',
    },
    'a limit': { fault: body({ code: 4013, msg: 'slower' }), reason: 'quota', message: 'limit' },
    'a token without the right': {
      fault: body({ code: 4101, msg: 'no permission' }),
      reason: 'provider_unauthorized',
      message: 'does not accept the key',
    },
    'a token that is not valid': {
      fault: body({ code: 700012006, msg: 'access token invalid' }),
      reason: 'provider_unauthorized',
      message: 'does not accept the key',
    },
  },
  huge: stream(...new Array(200).fill(delta('word '.repeat(2000))), done),
});

describe('a question', () => {
  it('is sent to the bot, on behalf of the sender or group', async () => {
    const answered = await ask({
      text: 'What is the answer?',
      message: pipelineMessage({ session_type: 'group', session_id: '42' }),
    });
    expect(answered).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(lastBody()).toEqual({
      bot_id: service.botId,
      user_id: 'group_42',
      stream: true,
      auto_save_history: true,
      additional_messages: [{ role: 'user', type: 'question', content_type: 'text', content: 'What is the answer?' }],
    });
    expect(answered.calls).toEqual([
      expect.objectContaining({
        model_uuid: null,
        model_name: `coze/${service.botId}`,
        input_tokens: 40,
        output_tokens: 12,
        reason: null,
      }),
    ]);
  });

  it('includes additional instructions, as a variable', async () => {
    await ask({ instructions: 'Be brief.' });
    expect(lastBody().custom_variables).toEqual({ instructions: 'Be brief.' });
  });

  const cat = { name: 'cat.png', media_type: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) };
  const picture: MessageElement = { type: 'Image', path: 'cat' };

  it('goes with its files, which are uploaded first', async () => {
    const message_chain: MessageElement[] = [
      { type: 'Plain', text: 'Which animal? ' },
      picture,
      { type: 'File', path: 'list', name: 'list.txt' },
      { type: 'Voice', path: 'meow' },
      { type: 'Image', path: 'gone' },
    ];
    const list = { name: 'x', media_type: 'text/plain', bytes: new TextEncoder().encode('cats') };
    const meow = { name: 'voice', media_type: 'audio/ogg', bytes: new Uint8Array(3) };
    const answered = await ask({ message_chain, context: { media: { cat, list, meow } } });
    expect(answered).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect([...service.files.values()].map(({ name, type, size }) => [name, type, size])).toEqual([
      ['cat.png', 'image/png', 4],
      ['list.txt', 'text/plain', 4],
      ['voice.ogg', 'audio/ogg', 3],
    ]);
    expect(await service.files.get('file-2')?.text()).toBe('cats');
    const [message] = lastBody().additional_messages;
    expect(message).toMatchObject({ role: 'user', content_type: 'object_string' });
    expect(JSON.parse(message.content)).toEqual([
      { type: 'text', text: 'Which animal? [Image]' },
      { type: 'image', file_id: 'file-1' },
      { type: 'file', file_id: 'file-2' },
      { type: 'audio', file_id: 'file-3' },
    ]);
  });

  it('may be a picture alone', async () => {
    await ask({ text: '', message_chain: [picture], context: { media: { cat } } });
    expect(JSON.parse(lastBody().additional_messages[0].content)).toEqual([{ type: 'image', file_id: 'file-1' }]);
  });

  it.each<[string, FakeFault]>([
    ['with its code', body({ code: 4000, msg: 'files of this kind are not taken' })],
    ['with its status', { kind: 'answer', status: 413, body: '' }],
  ])('goes without a file that the service refuses %s', async (_, fault) => {
    service.meet(fault);
    await ask({ text: '[Image]', message_chain: [picture], context: { media: { cat } } });
    expect(lastBody().additional_messages).toMatchObject([{ content_type: 'text', content: '[Image]' }]);
  });

  it.each<[string, FakeFault, RegExp]>([
    ['takes no files from this token', body({ code: 4101, msg: 'no permission' }), /does not accept the key/],
    ['does not return a file id', body({ code: 0, data: {} }), /does not name the file/],
    [
      'breaks off while it takes a file',
      { kind: 'stream', type: 'application/json', pieces: ['{"code"'], ending: 'cut' },
      /broke off/,
    ],
    ['never answers to a file', { kind: 'silence' }, /did not answer in time/],
  ])('is not sent when the service %s', async (_, fault, message) => {
    service.meet(fault);
    const { error } = await ask({ message_chain: [picture], context: { media: { cat } } }, { timeout: 0.2 });
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
    expect(conversationsAsked()).toEqual([null, remembered]);
  });

  it('restarts, once, when the service no longer knows it', async () => {
    const memory = fakeRunnerMemory('lost');
    expect(await ask({ context: { memory } })).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(conversationsAsked()).toEqual(['lost', null]);
    expect(service.conversations).toEqual(new Set([await memory.read()]));
    service.meet(body({ code: 4200, msg: 'gone' }), body({ code: 4200, msg: 'gone' }));
    expect((await ask({ context: { memory } })).error).toMatchObject({ reason: 'provider_failed' });
    expect(service.requests).toHaveLength(4);
  });

  it('does not restart for any other reason', async () => {
    service.meet(body({ code: 4000, msg: 'the bot is not published' }));
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

  const whole = (over: object) => cozeMessage('conversation.message.completed', { id: 'message-2', ...over });

  it('reports plugin calls', async () => {
    service.answer.extra = [whole({ type: 'function_call', content: '{"name":"news-search"}' })];
    expect(await ask()).toMatchObject({ tools: ['news-search'], text: 'Forty-two.', error: undefined });
  });

  it('includes files created by the bot', async () => {
    const parts = [
      { type: 'image', file_url: 'https://files.test/a.png' },
      { type: 'file', file_url: 'https://files.test/b.pdf', name: 'b.pdf' },
      { type: 'audio', file_url: 'https://files.test/c.mp3' },
      { type: 'film', file_url: 'https://files.test/d.mp4' },
      { type: 'file', file_url: 'javascript:alert(1)' },
      { type: 'text', text: 'There.' },
    ];
    service.answer.extra = [whole({ content_type: 'object_string', content: JSON.stringify(parts) })];
    expect(await ask()).toMatchObject({
      text: 'Forty-two.\n\nThere.',
      attachments: [
        { type: 'Image', url: 'https://files.test/a.png' },
        { type: 'File', url: 'https://files.test/b.pdf', name: 'b.pdf' },
        { type: 'Voice', url: 'https://files.test/c.mp3' },
      ],
      error: undefined,
    });
  });

  it.each<[string, string[], object[]]>([
    [
      'in several messages has them apart',
      [whole({ content: 'And a second one.' })],
      [{ type: 'text', text: '\n\nAnd a second one.' }],
    ],
    [
      'with thoughts has them separately',
      [cozeMessage('conversation.message.delta', { content: '', reasoning_content: 'Hm.' })],
      [{ type: 'reasoning', text: 'Hm.' }],
    ],
    [
      'excludes knowledge, suggestions, cards and unknown events',
      [
        whole({ type: 'knowledge', content: 'recalled' }),
        whole({ type: 'follow_up', content: 'Ask me more' }),
        whole({ content_type: 'card', content: '{"card":1}' }),
        whole({ type: 'function_call', content: 'not JSON' }),
        whole({ content_type: 'object_string', content: '{' }),
        namedEvent('conversation.message.delta', [1, 2]),
        namedEvent('conversation.of.tomorrow', { hello: true }),
      ],
      [],
    ],
  ])('%s', async (_, extra, expected) => {
    service.answer.extra = extra;
    const { deltas, error } = await ask();
    expect(error).toBeUndefined();
    expect(deltas.filter(({ type }) => type !== 'model_call').slice(3)).toEqual(expected);
  });
});

describe('the configuration', () => {
  const history: ConversationTurn[] = [
    { role: 'user', text: 'Hello', message_chain: [] },
    { role: 'assistant', text: '', message_chain: [] },
    { role: 'assistant', text: 'Hi!', message_chain: [] },
  ];

  it('ai.coze-api.api-key: goes with each call', async () => {
    expect((await ask({}, { 'api-key': 'another' })).error).toMatchObject({ reason: 'provider_unauthorized' });
    await ask();
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer another',
      `Bearer ${service.apiKey}`,
    ]);
  });

  it('ai.coze-api.bot-id: is the bot that answers', async () => {
    await ask({}, { 'bot-id': 'another' });
    expect(lastBody().bot_id).toBe('another');
  });

  it('ai.coze-api.api-base: is where the service is, with a slash at the end or not', async () => {
    expect(await ask({}, { 'api-base': `${service.url}/` })).toMatchObject({ text: 'Forty-two.' });
    const other = await startFakeCoze();
    await other.close();
    expect((await ask({}, { 'api-base': other.url })).error?.message).toMatch(/could not be reached/);
  });

  it('ai.coze-api.auto-save-history: off, nothing is stored there and requests include the history', async () => {
    const memory = fakeRunnerMemory();
    await ask({ history, context: { memory } });
    expect(lastBody().auto_save_history).toBe(true);
    expect(lastBody().additional_messages).toHaveLength(1);
    await ask({ text: 'And now?', history, context: { memory } }, { 'auto-save-history': false });
    expect(lastBody()).toMatchObject({
      auto_save_history: false,
      additional_messages: [
        { role: 'user', type: 'question', content: 'Hello' },
        { role: 'assistant', type: 'answer', content: 'Hi!' },
        { role: 'user', type: 'question', content: 'And now?' },
      ],
    });
    expect(conversationsAsked()).toEqual([null, null]);
  });

  it('ai.coze-api.timeout: is how long the service may be silent, in seconds', async () => {
    service.answer.headersAfterMs = 300;
    expect((await ask({}, { timeout: 0.1 })).error).toMatchObject({ reason: 'provider_timeout' });
    expect(await ask({}, { timeout: 10 })).toMatchObject({ text: 'Forty-two.' });
  });

  it.each(['api-key', 'bot-id', 'api-base'])('requires %s', async (field) => {
    for (const empty of ['', ' ', `your-${field}`]) {
      const { error } = await ask({}, { [field]: empty });
      const reason = field === 'api-key' ? 'provider_unauthorized' : 'invalid_request';
      expect(error).toMatchObject({ reason, message: expect.stringContaining(field) });
    }
    expect(service.requests).toEqual([]);
  });
});
