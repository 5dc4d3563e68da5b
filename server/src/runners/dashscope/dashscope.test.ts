import type { MessageElement } from '@parley/sdk';
import { fakeRunnerMemory, runnerContract } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRunner, type Question } from '../../kit/services/testing/ask-runner.ts';
import type { FakeFault } from '../../kit/services/testing/fake-service.ts';
import { serviceFaultTests } from '../../kit/services/testing/service-fault-tests.ts';
import { endlessTexts } from '../../kit/services/testing/service-parts.ts';
import { createDashscope } from './index.ts';
import { dashscopeEvent, type FakeDashscope, nodeMessage, startFakeDashscope } from './testing/fake-dashscope.ts';

const dashscope = createDashscope({ silenceTimeoutMs: 10_000 });

let service: FakeDashscope;
beforeEach(async () => {
  service = await startFakeDashscope();
});
afterEach(() => service.close());

const config = (over: object = {}) => ({
  'base-url': service.baseUrl,
  'api-key': service.apiKey,
  'app-id': service.appId,
  ...over,
});
const ask = (question: Question = {}, over: object = {}) => askRunner(dashscope, { ...question, config: config(over) });
const lastBody = () => service.requests.at(-1)?.json;
const sessionsAsked = () => service.requests.map(({ json }) => json.input.session_id);

runnerContract({
  runner: dashscope,
  config: () => config(),
  endlessConfig: () => {
    service.answer.texts = endlessTexts();
    service.answer.delayMs = 1;
    return config();
  },
});

const piece = (text: string, finish_reason = 'null') =>
  dashscopeEvent({ output: { text, finish_reason, session_id: 's-1' } });
const failure = (code: string, message: string) => dashscopeEvent({ code, message }, 'error', 400);
const stream = (...pieces: string[]): FakeFault => {
  return { kind: 'stream', type: 'text/event-stream', pieces, ending: 'end' };
};
const body = (value: unknown): FakeFault => ({ kind: 'answer', status: 200, body: JSON.stringify(value) });

serviceFaultTests({
  runner: createDashscope({ silenceTimeoutMs: 1000 }),
  service: () => service,
  config: (url) => ({ 'base-url': url, 'api-key': 'sk-secret-1234567', 'app-id': '1' }),
  secret: 'sk-secret-1234567',
  stream: { type: 'text/event-stream', begin: [piece('Well, ')], more: piece('and so on, '.repeat(1000)) },
  empty: stream(piece('', 'stop')),
  malformed: {
    'an event that is no JSON': stream(piece('Well, '), 'event:result\ndata:{"half\n\n'),
    'an event that is no object': stream(piece('Well, '), 'event:result\ndata:[]\n\n'),
    'a stream without an end': stream(piece('Well, ')),
    'an answer that is a list': body([]),
    'an answer that says nothing': body({ request_id: '1' }),
  },
  reported: {
    'an error in the stream': {
      fault: stream(piece('Well, '), failure('InternalError', 'broken: sk-secret-1234567')),
      reason: 'provider_failed',
      message: 'broken',
    },
    'an error without a word': {
      fault: stream(failure('', '')),
      reason: 'provider_failed',
      message: 'no reason given',
    },
    'a limit': { fault: stream(failure('Throttling.RateQuota', 'slower')), reason: 'quota', message: 'limit' },
    'a bill that is not paid': { fault: stream(failure('Arrearage', 'pay')), reason: 'quota', message: 'quota' },
    'a key that is not valid': {
      fault: body({ code: 'InvalidApiKey', message: 'Invalid API-key provided: sk-secret-1234567' }),
      reason: 'provider_unauthorized',
      message: 'does not accept the key',
    },
    'an application that is not there': {
      fault: body({ code: 'ApplicationNotFound', message: 'no such application' }),
      reason: 'provider_failed',
      message: 'no such application',
    },
    'a model that took too long': {
      fault: stream(failure('RequestTimeOut', 'too long')),
      reason: 'provider_timeout',
      message: 'in time',
    },
  },
  huge: stream(...new Array(200).fill(piece('word '.repeat(2000))), piece('', 'stop')),
});

describe('a question', () => {
  it('is sent to the application', async () => {
    const answered = await ask({ text: 'What is the answer?', variables: { sender_name: 'Ada' } });
    expect(answered).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(lastBody()).toEqual({
      input: { prompt: 'What is the answer?' },
      parameters: { incremental_output: true, has_thoughts: true },
    });
    expect(answered.calls).toEqual([
      expect.objectContaining({
        model_uuid: null,
        model_name: 'qwen-max',
        input_tokens: 121,
        output_tokens: 37,
        reason: null,
      }),
    ]);
  });

  it('goes with pictures and files that have a public address, and names the others', async () => {
    const message_chain: MessageElement[] = [
      { type: 'Plain', text: 'Compare ' },
      { type: 'Image', url: 'https://files.test/a.png' },
      { type: 'Image', path: 'stored-here' },
      { type: 'Image', url: 'https://user:password@files.test/b.png' },
      { type: 'Image', url: 'http://192.168.0.1/c.png' },
      { type: 'File', name: 'list.txt', url: 'https://files.test/list.txt' },
    ];
    await ask({ text: 'Compare [Image][Image][Image][Image][File]list.txt', message_chain });
    expect(lastBody().input).toEqual({
      prompt: 'Compare [Image][Image][Image]',
      image_list: ['https://files.test/a.png'],
      file_list: ['https://files.test/list.txt'],
    });
    await ask({ text: '[Image]', message_chain: [{ type: 'Image', url: 'https://files.test/a.png' }] });
    expect(lastBody().input).toEqual({ prompt: '[Image]', image_list: ['https://files.test/a.png'] });
  });

  it('includes additional instructions for an agent', async () => {
    await ask({ instructions: 'Be brief.' });
    expect(lastBody().input.biz_params).toEqual({ user_prompt_params: { instructions: 'Be brief.' } });
  });
});

describe('the conversation', () => {
  it('continues, also after a restart', async () => {
    const memory = fakeRunnerMemory();
    await ask({ context: { memory } });
    const remembered = await memory.read();
    expect(service.sessions).toEqual(new Set([remembered]));
    await ask({ context: { memory: fakeRunnerMemory(remembered) } });
    expect(sessionsAsked()).toEqual([undefined, remembered]);
  });

  it('restarts, once, when the service no longer knows it', async () => {
    const memory = fakeRunnerMemory('lost');
    expect(await ask({ context: { memory } })).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(sessionsAsked()).toEqual(['lost', undefined]);
    expect(service.sessions).toEqual(new Set([await memory.read()]));
  });

  it('does not restart for any other reason', async () => {
    service.meet({
      kind: 'answer',
      status: 400,
      body: JSON.stringify({ code: 'InvalidParameter', message: 'prompt' }),
    });
    const memory = fakeRunnerMemory('stored');
    expect((await ask({ context: { memory } })).error).toMatchObject({ reason: 'provider_failed' });
    expect(sessionsAsked()).toEqual(['stored']);
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

  it('that was collected on the way is taken as a whole', async () => {
    const output = { text: 'All at once.', finish_reason: 'stop', session_id: 's-1' };
    service.meet(body({ output, usage: { models: [{ input_tokens: 1, output_tokens: 2 }, { model_id: 'b' }] } }));
    const { text, calls, error } = await ask();
    expect([text, error]).toEqual(['All at once.', undefined]);
    expect(calls.map(({ model_name, input_tokens }) => [model_name, input_tokens])).toEqual([
      ['dashscope', 1],
      ['b', 0],
    ]);
  });

  it('has its thoughts separately', async () => {
    const thoughts = [
      { action_type: 'reasoning', thought: 'Hm.' },
      { action_type: 'agentRag', thought: 'not said' },
    ];
    service.answer.extra = [dashscopeEvent({ output: { text: '', thoughts, finish_reason: 'null' } })];
    expect(await ask()).toMatchObject({ reasoning: 'Hm.', text: 'Forty-two.' });
  });

  it('without usage is not recorded', async () => {
    service.usage = null;
    expect(await ask()).toMatchObject({ text: 'Forty-two.', calls: [] });
  });
});

describe('the configuration', () => {
  it('ai.dashscope-app-api.app-type: a workflow receives the variables, and its nodes are streamed', async () => {
    const variables = { sender_name: 'Ada', _inner: 'secret' };
    service.last = { text: 'Forty-two.', workflow_message: nodeMessage('') };
    const question = { text: 'Hi', variables, instructions: 'Be brief.' };
    expect(await ask(question, { 'app-type': 'workflow' })).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(lastBody()).toEqual({
      input: { prompt: 'Hi', biz_params: { sender_name: 'Ada', instructions: 'Be brief.' } },
      parameters: { incremental_output: true, flow_stream_mode: 'message_format' },
    });
    service.last = {};
    expect(await ask(question, { 'app-type': 'agent' })).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(lastBody().input.biz_params).toEqual({ user_prompt_params: { instructions: 'Be brief.' } });
  });

  it('ai.dashscope-app-api.app-type: a workflow without node output returns its final text', async () => {
    service.meet(stream(piece('As a whole.', 'stop')));
    expect(await ask({}, { 'app-type': 'workflow' })).toMatchObject({ text: 'As a whole.', error: undefined });
  });

  it('ai.dashscope-app-api.api-key: goes with each call', async () => {
    expect((await ask({}, { 'api-key': 'sk-another' })).error).toMatchObject({ reason: 'provider_unauthorized' });
    await ask();
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-another',
      `Bearer ${service.apiKey}`,
    ]);
  });

  it('ai.dashscope-app-api.app-id: is the application that answers', async () => {
    expect((await ask({}, { 'app-id': 'an/other' })).error?.message).toMatch(/answered 404/);
    expect(service.requests.at(-1)?.path).toBe('/api/v1/apps/an%2Fother/completion');
  });

  it('ai.dashscope-app-api.references_quote: stands before the documents that the answer is based on', async () => {
    service.answer.texts = ['It is 5.<re', 'f>[1]</ref>'];
    service.last = { doc_references: [{ index_id: '1', doc_name: 'prices.pdf' }] };
    expect((await ask()).text).toBe('It is 5.(参考资料来自: prices.pdf)');
    expect((await ask({}, { references_quote: 'Says' })).text).toBe('It is 5.(Says prices.pdf)');
  });

  it('ai.dashscope-app-api.base-url: is where the service is, with a slash at the end or not', async () => {
    expect(await ask({}, { 'base-url': `${service.baseUrl}/` })).toMatchObject({ text: 'Forty-two.' });
    const other = await startFakeDashscope();
    await other.close();
    expect((await ask({}, { 'base-url': other.baseUrl })).error?.message).toMatch(/could not be reached/);
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
