import type { MediaContent } from '@parley/sdk';
import {
  type FakeRunnerContextOptions,
  fakeRunnerContext,
  fakeRunnerMemory,
  pipelineMessage,
  runnerContract,
} from '@parley/sdk/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askRunner, type Question } from '../../kit/services/testing/ask-runner.ts';
import { sse, startFakeService } from '../../kit/services/testing/fake-service.ts';
import { serviceFaultTests } from '../../kit/services/testing/service-fault-tests.ts';
import { dify } from './index.ts';
import { difyKey, type FakeDify, picture, startFakeDify } from './testing/fake-dify.ts';

let fake: FakeDify;
beforeAll(async () => {
  fake = await startFakeDify();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.say();
  fake.requests.length = 0;
  fake.uploads.length = 0;
});

const config = (over: object = {}) => ({ 'base-url': fake.url, 'api-key': difyKey, timeout: 10, ...over });
const ask = ({ config: over, ...question }: Question = {}) => askRunner(dify, { config: config(over), ...question });
const asked = () => fake.questions.at(-1)?.json;
const event = (name: string, more: object = {}) => ({ event: name, ...more });
const media: Record<string, MediaContent> = {
  picture: { name: 'image', media_type: 'image/png', bytes: new Uint8Array(picture) },
  voice: { name: 'voice', media_type: 'audio/mpeg', bytes: new Uint8Array([1]) },
  film: { name: 'film.mp4', media_type: 'video/mp4', bytes: new Uint8Array([1, 2]) },
  paper: { name: 'paper.pdf', media_type: 'application/pdf', bytes: new Uint8Array([1, 2, 3]) },
  program: { name: 'setup.exe', media_type: 'application/x-msdownload', bytes: new Uint8Array([1]) },
};

runnerContract({
  runner: dify,
  config: () => config(),
  endlessConfig: () => {
    const words = sse({ event: 'message', conversation_id: 'c', answer: 'and so on, ' });
    fake.meet({ kind: 'stream', type: 'text/event-stream', pieces: words, ending: 'on and on' });
    return config();
  },
  brokenConfig: { 'api-key': '' },
  context: fakeRunnerContext(),
});

const words = { event: 'message', conversation_id: 'c', answer: 'Hel' };
const streamed = (...events: unknown[]) =>
  ({ kind: 'stream', type: 'text/event-stream', pieces: sse(...events), ending: 'end' }) as const;
serviceFaultTests({
  runner: dify,
  service: () => fake,
  config: (url) => ({ 'base-url': url, 'api-key': difyKey, timeout: 0.3 }),
  secret: difyKey,
  stream: {
    type: 'text/event-stream',
    begin: sse(words),
    more: sse({ ...words, answer: 'and so on, '.repeat(5000) })[0] as string,
  },
  empty: streamed({ event: 'message', answer: '' }, { event: 'message_end' }),
  malformed: {
    'events that are not JSON': streamed(words, '{"event": "mess'),
    'events that are no objects': streamed(words, '["message"]'),
    'a stream that ends too early': streamed(words),
    'a page instead of events': {
      kind: 'answer',
      status: 200,
      body: '<html></html>',
      headers: { 'content-type': 'text/html' },
    },
  },
  reported: {
    'an event that reports a failure': {
      fault: streamed(words, {
        event: 'error',
        status: 400,
        code: 'completion_request_error',
        message: 'Out of words',
      }),
      reason: 'provider_failed',
      message: 'Dify answered 400: Out of words.',
    },
    'an event that reports a failure without saying more': {
      fault: streamed(words, { event: 'error' }),
      reason: 'provider_failed',
      message: 'Dify answered 500',
    },
    'a model that there is no more': {
      fault: streamed(words, { event: 'error', status: 400, message: 'No such model' }),
      reason: 'unknown_model',
      message: 'Dify does not know the model',
    },
    'a quota that is used up': {
      fault: streamed({ event: 'error', status: 400, code: 'provider_quota_exceeded', message: 'Used up' }),
      reason: 'quota',
      message: 'Dify takes no more requests',
    },
    'a run that failed': {
      fault: streamed(words, { event: 'workflow_finished', data: { status: 'failed', error: 'Node broken' } }),
      reason: 'provider_failed',
      message: 'Node broken',
    },
    'a run that is paused': {
      fault: streamed(words, { event: 'workflow_paused', data: {} }),
      reason: 'provider_failed',
      message: 'is paused for human input',
    },
    'a run that was stopped': {
      fault: streamed(words, { event: 'workflow_finished', data: { status: 'stopped' } }),
      reason: 'provider_failed',
      message: 'was stopped',
    },
  },
  huge: streamed(words, { event: 'message', answer: 'x'.repeat(1_000_001) }, { event: 'message_end' }),
});

describe('a chat', () => {
  it('streams the text of Dify, and records its token usage', async () => {
    const { deltas, text, calls } = await ask({ text: 'Good morning' });
    expect(deltas.filter(({ type }) => type === 'text')).toHaveLength(3);
    expect(text).toBe('Hello from Dify');
    expect(calls).toMatchObject([
      { model_uuid: null, model_name: 'Dify', input_tokens: 11, output_tokens: 3, reason: null },
    ]);
    expect(asked()).toEqual({
      inputs: {},
      query: 'Good morning',
      response_mode: 'streaming',
      user: 'person_ada',
      conversation_id: '',
      files: [],
    });
  });

  it('includes the documented variables and none of the internal ones', async () => {
    await ask({ variables: { sender_name: 'Ada', session_id: 'person_1', _internal: 'x' }, instructions: 'Be brief.' });
    expect(asked().inputs).toEqual({ sender_name: 'Ada', session_id: 'person_1', instructions: 'Be brief.' });
  });

  it('belongs to its user or group', async () => {
    await ask({ message: pipelineMessage({ session_type: 'group', session_id: '77' }) });
    expect(asked().user).toBe('group_77');
  });

  it('continues, and restarts after a reset', async () => {
    const memory = fakeRunnerMemory();
    await ask({ context: { memory } });
    const conversation = await memory.read();
    expect(conversation).toMatch(/^[0-9a-f-]{36}$/);
    await ask({ context: { memory } });
    expect(asked().conversation_id).toBe(conversation);
    expect(await memory.read()).toBe(conversation);
    await ask({ context: { memory: fakeRunnerMemory() } });
    expect(asked().conversation_id).toBe('');
  });

  it('restarts, once, when Dify no longer knows the conversation', async () => {
    const memory = fakeRunnerMemory('gone');
    const { text, error } = await ask({ context: { memory } });
    expect({ text, error }).toEqual({ text: 'Hello from Dify', error: undefined });
    expect(fake.questions.map(({ json }) => json.conversation_id)).toEqual(['gone', '']);
    expect(await memory.read()).not.toBe('gone');
    const missing = { kind: 'answer', status: 404, body: '{"message": "No such application"}' } as const;
    fake.meet(missing, missing);
    const failed = await ask({ context: { memory } });
    expect(failed.error).toMatchObject({
      reason: 'provider_failed',
      message: 'Dify answered 404: No such application.',
    });
    expect(fake.questions).toHaveLength(4);
    fake.meet(missing);
    expect((await ask()).error).toMatchObject({ reason: 'provider_failed' });
    expect(fake.questions).toHaveLength(5);
  });

  it('remembers its conversation when the answer breaks off', async () => {
    const memory = fakeRunnerMemory();
    fake.meet({ kind: 'stream', type: 'text/event-stream', pieces: sse(words), ending: 'cut' });
    await ask({ context: { memory } });
    expect(await memory.read()).toBe('c');
  });

  it('ignores ids that are too long or invalid', async () => {
    const memory = fakeRunnerMemory();
    fake.meet(
      streamed({ ...words, conversation_id: 'c'.repeat(10_001) }, { event: 'message_end', conversation_id: 7 }),
    );
    const { text, error } = await ask({ context: { memory } });
    expect({ text, error, state: await memory.read() }).toEqual({ text: 'Hel', error: undefined, state: null });
  });

  it('returns the final text of an answering node that was not streamed', async () => {
    const node = (node_type: string, answer: string) =>
      event('node_finished', { data: { node_type, outputs: { answer } } });
    fake.say(
      node('llm', 'no'),
      node('answer', 'At once'),
      event('workflow_finished', { data: { status: 'succeeded' } }),
    );
    expect((await ask()).text).toBe('At once');
    fake.say(event('message', { answer: 'Streamed' }), node('answer', 'Streamed'));
    expect((await ask()).text).toBe('Streamed');
  });

  it('returns the replacement by moderation, and ends when it retracts text already shown', async () => {
    fake.say(event('message_replace', { answer: 'I cannot say.' }));
    expect(await ask()).toMatchObject({ text: 'I cannot say.', error: undefined });
    fake.say(event('message', { answer: 'A secret' }), event('message_replace', { answer: 'I cannot say.' }));
    const { text, error } = await ask();
    expect(text).toBe('A secret');
    expect(error).toMatchObject({ reason: 'provider_failed', message: 'The moderation of Dify blocked the answer.' });
  });

  it('passes over events that it does not know and usage that is none', async () => {
    fake.say(event('tts_message', { audio: 'x' }), event('from_the_future'), event('message', { answer: 'Yes' }));
    expect(await ask()).toMatchObject({ text: 'Yes', error: undefined });
    const usage = { prompt_tokens: 'many', completion_tokens: -1 };
    fake.meet(streamed(words, { event: 'message_end', metadata: { usage } }));
    expect((await ask()).calls).toEqual([]);
  });
});

describe('an agent', () => {
  it('reports each tool once, with its output, and attaches created pictures', async () => {
    const thought = (more: object) => event('agent_thought', { id: 't1', position: 1, thought: '', tool: '', ...more });
    const file = { id: 'f1', type: 'image', belongs_to: 'assistant', url: '/files/picture.png?sign=x' };
    fake.say(
      thought({}),
      thought({ tool: 'weather;map', tool_input: '{}' }),
      thought({ tool: 'weather;map', observation: 'Sunny' }),
      event('message_file', { ...file, url: '/files/picture.png' }),
      event('message_file', { ...file, url: '/files/picture.png' }),
      event('message_file', { ...file, belongs_to: 'user', url: '/files/question.png' }),
      event('agent_message', { answer: 'It is ' }),
      event('agent_message', { answer: 'sunny.' }),
    );
    const before = fake.fetched;
    const { text, tools, attachments } = await ask({ config: { 'app-type': 'agent' } });
    expect(text).toBe('It is sunny.');
    expect(tools).toEqual(['weather', 'map']);
    expect(attachments).toEqual([{ type: 'Image', base64: `data:image/png;base64,${picture.toString('base64')}` }]);
    expect(fake.fetched).toBe(before + 1);
    expect(fake.requests.find(({ path }) => path === '/files/picture.png')?.headers.authorization).toBeUndefined();
  });

  it('may end with the complete text', async () => {
    const said = (name: string, answer: string) => event(name, { answer });
    fake.say(said('agent_message', 'It is '), said('agent_message', 'sunny'), said('message', 'It is sunny.'));
    expect((await ask()).text).toBe('It is sunny.');
    fake.say(said('agent_message', 'It is sunny'), said('message', 'Sunny.'));
    expect((await ask()).text).toBe('It is sunny');
  });

  it('leaves files of other servers where they are, and those that cannot be fetched', async () => {
    const other = await startFakeService((_, response) => response.end('x'));
    const file = (url: string) => event('message_file', { type: 'image', belongs_to: 'assistant', url });
    fake.say(file(`${other.url}/a.png`), file('/files/gone.png'), file('ftp://x/y'), file('http://[broken'), file(''));
    const { attachments } = await ask();
    await other.close();
    expect(attachments).toEqual([
      { type: 'Image', url: `${other.url}/a.png` },
      { type: 'Image', url: `${new URL(fake.url).origin}/files/gone.png` },
    ]);
    expect(other.requests).toEqual([]);
  });
});

describe('a workflow', () => {
  const workflow = (question: Question = {}) => ask({ ...question, config: { 'app-type': 'workflow' } });
  const finished = (outputs: object) => event('workflow_finished', { data: { status: 'succeeded', outputs } });

  it('streams its text, and records the token usage of its nodes', async () => {
    const { deltas, text, calls } = await workflow();
    expect(deltas.filter(({ type }) => type === 'text')).toHaveLength(2);
    expect(text).toBe('Hello from a workflow');
    expect(calls).toMatchObject([{ model_name: 'Dify', input_tokens: 20, output_tokens: 5 }]);
  });

  it('receives the question and the conversation id, which is the same until a reset', async () => {
    const memory = fakeRunnerMemory();
    const variables = { msg_create_time: '1700000000', sender_name: 'Ada', conversation_id: 'ours' };
    await workflow({ text: 'Good morning', variables, context: { memory } });
    const first = asked();
    const conversation = await memory.read();
    expect(first).toEqual({
      inputs: {
        ...variables,
        user_message_text: 'Good morning',
        conversation_id: conversation,
        langbot_user_message_text: 'Good morning',
        langbot_session_id: 'person_ada',
        langbot_conversation_id: conversation,
        langbot_msg_create_time: '1700000000',
      },
      response_mode: 'streaming',
      user: 'person_ada',
      files: [],
    });
    await workflow({ context: { memory } });
    expect(asked().inputs.conversation_id).toBe(conversation);
    await workflow();
    expect(asked().inputs.conversation_id).not.toBe(conversation);
  });

  it.each<[string, object, string]>([
    ['summary', { summary: 'yes', text: 'no' }, 'yes'],
    ['another common name', { other: 'no', answer: 'yes' }, 'yes'],
    ['the only text', { 'weather-report': 'yes', count: 1 }, 'yes'],
    ['a value that is no text', { summary: { city: 'Ulm' } }, '{"city":"Ulm"}'],
  ])('that streams nothing answers with %s', async (_, outputs, text) => {
    fake.say(finished(outputs));
    expect(await workflow()).toMatchObject({ text, error: undefined });
  });

  it('with several outputs of other names cannot be understood', async () => {
    fake.say(finished({ title: 'a', body: 'b' }));
    expect((await workflow()).error?.message).toMatch(/several outputs and none is called summary/);
    fake.say(finished({}));
    expect((await workflow()).error?.message).toBe('Dify gave an empty answer.');
  });

  it('attaches the files among its outputs', async () => {
    const file = {
      dify_model_identity: '__dify__file__',
      type: 'document',
      filename: 'a.pdf',
      url: 'https://x.example/a',
    };
    const image = { ...file, type: 'image', url: '/files/picture.png' };
    const sound = { ...file, type: 'audio', url: '', remote_url: 'https://x.example/b' };
    fake.say(finished({ result: [file, image], extra: sound, note: null }));
    const { attachments, error } = await workflow();
    expect(error).toBeUndefined();
    expect(attachments).toMatchObject([
      { type: 'File', name: 'a.pdf', url: 'https://x.example/a' },
      { type: 'Image', base64: expect.stringContaining('data:image/png;base64,') },
      { type: 'Voice', url: 'https://x.example/b' },
    ]);
  });

  it.each([
    ['a failure', event('workflow_finished', { data: { status: 'failed', error: 'Broken' } }), /Broken/],
    ['an error', event('error', { status: 400, message: 'Wrong' }), /Wrong/],
    ['a pause', event('workflow_paused'), /paused for human input/],
    ['no end', event('text_chunk', { data: { text: 'Hel' } }), /broke off/],
  ])('that ends with %s fails with that reason', async (_, last, message) => {
    fake.say(last);
    expect((await workflow()).error?.message).toMatch(message);
  });
});

describe('files of a question', () => {
  const chain = (...names: string[]) =>
    names.map((path) =>
      path === 'picture'
        ? { type: 'Image' as const, path }
        : path === 'voice'
          ? { type: 'Voice' as const, path }
          : { type: 'File' as const, path },
    );
  const withFiles = (names: string[], text: string, context: FakeRunnerContextOptions = {}) =>
    ask({
      text: `${text}[Image]`,
      message_chain: [...(text === '' ? [] : [{ type: 'Plain' as const, text }]), ...chain(...names)],
      context: { media, ...context },
    });

  it('are uploaded and named by the kind that they are of', async () => {
    await withFiles(['picture', 'voice', 'film', 'paper'], 'Look');
    expect(fake.uploads.map(({ name, type, size, user }) => [name, type, size, user])).toEqual([
      ['image.png', 'image/png', picture.length, 'person_ada'],
      ['voice.mp3', 'audio/mpeg', 1, 'person_ada'],
      ['film.mp4', 'video/mp4', 2, 'person_ada'],
      ['paper.pdf', 'application/pdf', 3, 'person_ada'],
    ]);
    const kinds = ['image', 'audio', 'video', 'document'];
    const expected = kinds.map((type, index) => {
      return { type, transfer_method: 'local_file', upload_file_id: fake.uploads[index]?.id };
    });
    expect(asked()).toMatchObject({ query: 'Look', files: expected });
  });

  it('that Dify does not take, or that are gone, are left to the text', async () => {
    const { text, error } = await withFiles(['program', 'missing', 'picture'], 'Look');
    expect({ text, error }).toEqual({ text: 'Hello from Dify', error: undefined });
    expect(asked().files).toHaveLength(1);
    expect(asked().query).toBe('Look[File][File]');
  });

  it('whose upload fails for another reason fail the answer', async () => {
    fake.meet({ kind: 'answer', status: 500 });
    expect((await withFiles(['picture'], 'Look')).error).toMatchObject({ reason: 'provider_failed' });
    fake.meet({ kind: 'answer', status: 201, body: '{"id": 7}' });
    expect((await withFiles(['picture'], 'Look')).error?.message).toMatch(/the uploaded file has no id/);
    expect(fake.questions).toEqual([]);
  });
});

describe('the configuration', () => {
  const onlyPicture = { message_chain: [{ type: 'Image' as const, path: 'picture' }], context: { media } };

  it('ai.dify-service-api.base-url: is the URL of the application, with or without a trailing slash', async () => {
    await ask({ config: { 'base-url': `${fake.url}//` } });
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/chat-messages']);
  });

  it('ai.dify-service-api.base-prompt: is the question when there is a file and no text', async () => {
    await ask({ ...onlyPicture, config: { 'base-prompt': 'What is this?' } });
    expect(asked().query).toBe('What is this?');
  });

  it('ai.dify-service-api.base-prompt: has a default where it is missing or empty', async () => {
    await ask(onlyPicture);
    expect(asked().query).toMatch(/^Read the attached file/);
    await ask({ ...onlyPicture, config: { 'base-prompt': ' ' } });
    expect(asked().query).toMatch(/^Read the attached file/);
  });

  it.each([
    ['chat', '/v1/chat-messages'],
    ['agent', '/v1/chat-messages'],
    ['workflow', '/v1/workflows/run'],
  ])('ai.dify-service-api.app-type: %s is called at %s', async (type, path) => {
    expect((await ask({ config: { 'app-type': type } })).error).toBeUndefined();
    expect(fake.requests.map((request) => request.path)).toEqual([path]);
  });

  it('ai.dify-service-api.api-key: identifies the application', async () => {
    expect((await ask({ config: { 'api-key': ` ${difyKey} ` } })).error).toBeUndefined();
    expect((await ask({ config: { 'api-key': 'app-other' } })).error).toMatchObject({
      reason: 'provider_unauthorized',
    });
    fake.requests.length = 0;
    for (const key of ['', 'your-api-key']) {
      const { error } = await ask({ config: { 'api-key': key } });
      expect(error).toMatchObject({
        reason: 'provider_unauthorized',
        message: 'The pipeline has no api-key for Dify.',
      });
    }
    expect(fake.requests).toEqual([]);
  });

  it('ai.dify-service-api.timeout: limits the time without data, and 0 uses the default', async () => {
    fake.meet({ kind: 'silence' });
    const started = performance.now();
    expect((await ask({ config: { timeout: 0.05 } })).error).toMatchObject({ reason: 'provider_timeout' });
    expect(performance.now() - started).toBeLessThan(5000);
    expect((await ask({ config: { timeout: 0 } })).text).toBe('Hello from Dify');
  });
});
