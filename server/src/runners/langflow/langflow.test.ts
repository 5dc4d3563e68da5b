import { fakeRunnerMemory, runnerContract } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRunner, type Question } from '../../kit/services/testing/ask-runner.ts';
import type { FakeFault } from '../../kit/services/testing/fake-service.ts';
import { serviceFaultTests } from '../../kit/services/testing/service-fault-tests.ts';
import { endlessTexts } from '../../kit/services/testing/service-parts.ts';
import { textOfResult } from './flow-result.ts';
import { createLangflow } from './index.ts';
import { type FakeLangflow, langflowEvent, langflowResult, startFakeLangflow } from './testing/fake-langflow.ts';

const langflow = createLangflow({ silenceTimeoutMs: 10_000 });

let service: FakeLangflow;
beforeEach(async () => {
  service = await startFakeLangflow();
});
afterEach(() => service.close());

const config = (over: object = {}) => ({
  'base-url': service.url,
  'api-key': service.apiKey,
  'flow-id': service.flowId,
  ...over,
});
const ask = (question: Question = {}, over: object = {}) => askRunner(langflow, { ...question, config: config(over) });
const lastBody = () => service.requests.at(-1)?.json;

runnerContract({
  runner: langflow,
  config: () => config(),
  endlessConfig: () => {
    service.answer.texts = endlessTexts();
    service.answer.delayMs = 1;
    return config();
  },
});

const token = (chunk: string) => langflowEvent('token', { chunk, id: '1' });
const end = (text = '') => langflowEvent('end', { result: langflowResult(text) });
const stream = (...pieces: string[]): FakeFault => {
  return { kind: 'stream', type: 'text/event-stream; charset=utf-8', pieces, ending: 'end' };
};
const body = (value: unknown): FakeFault => ({ kind: 'answer', status: 200, body: JSON.stringify(value) });

serviceFaultTests({
  runner: createLangflow({ silenceTimeoutMs: 1000 }),
  service: () => service,
  config: (url) => ({ 'base-url': url, 'api-key': 'sk-secret-1234567', 'flow-id': '1' }),
  secret: 'sk-secret-1234567',
  stream: { type: 'text/event-stream', begin: [token('Well, ')], more: token('and so on, '.repeat(1000)) },
  empty: stream(end()),
  malformed: {
    'an event that is no JSON': stream(token('Well, '), '{"half\n\n', end()),
    'an event that is no object': stream(token('Well, '), '[]\n\n', end()),
    'a stream without an end': stream(token('Well, ')),
    'an answer that is no JSON': { kind: 'answer', status: 200, body: '{"outputs":' },
    'an answer without outputs': body({ detail: 'key sk-secret-1234567' }),
    'an answer that is a list': body([]),
    'a line that is far too long': stream(...new Array(17).fill('x'.repeat(1_000_000))),
  },
  reported: {
    'an error in the stream': {
      fault: stream(token('Well, '), langflowEvent('error', { error: 'broken: sk-secret-1234567' })),
      reason: 'provider_failed',
      message: 'broken',
    },
    'an error with a text': {
      fault: stream(langflowEvent('error', { text: 'no model' })),
      reason: 'provider_failed',
      message: 'no model',
    },
    'an error without a word': {
      fault: stream(langflowEvent('error', null)),
      reason: 'provider_failed',
      message: 'the flow failed',
    },
  },
  huge: stream(...new Array(200).fill(token('word '.repeat(2000))), end()),
});

describe('a question', () => {
  it('is sent to the flow', async () => {
    const answered = await ask({ text: 'What is the answer?' });
    expect(answered).toMatchObject({ text: 'Forty-two.', error: undefined });
    expect(answered.deltas).toHaveLength(3);
    expect(service.requests[0]?.path).toBe(`/api/v1/run/${service.flowId}?stream=true`);
    expect(lastBody()).toEqual({
      input_value: 'What is the answer?',
      input_type: 'chat',
      output_type: 'chat',
      session_id: expect.stringMatching(/^[\da-f-]{36}$/),
      tweaks: {},
    });
  });

  it('is preceded by additional instructions', async () => {
    await ask({ text: 'Hi', instructions: 'Be brief.' });
    expect(lastBody().input_value).toBe('Be brief.\n\nHi');
  });
});

describe('the conversation', () => {
  it('continues, also after a restart', async () => {
    const memory = fakeRunnerMemory();
    await ask({ context: { memory } });
    const remembered = await memory.read();
    await ask({ context: { memory: fakeRunnerMemory(remembered) } });
    expect(service.requests.map(({ json }) => json.session_id)).toEqual([remembered, remembered]);
  });

  it('is another one for each', async () => {
    await ask();
    await ask();
    expect(new Set(service.requests.map(({ json }) => json.session_id)).size).toBe(2);
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

  it('that does not come word by word is taken from the end', async () => {
    service.answer.texts = [];
    service.result = langflowResult('All at once.');
    expect(await ask()).toMatchObject({ text: 'All at once.', error: undefined });
  });

  it('includes text that is only in the final result', async () => {
    service.result = { outputs: [...langflowResult('Forty-two.').outputs, ...langflowResult('Really.').outputs] };
    expect(await ask()).toMatchObject({ text: 'Forty-two.\n\nReally.', error: undefined });
    service.result = langflowResult('another text');
    expect(await ask()).toMatchObject({ text: 'Forty-two.', error: undefined });
    service.result = 'nothing';
    expect(await ask()).toMatchObject({ text: 'Forty-two.', error: undefined });
  });

  it('is read from real server-sent events, split in any way', async () => {
    const text = `event: token\ndata: ${token('Good ')}: comment\r\ndata: ${token('day.')}data: ${end('Good day.')}`;
    service.meet(stream(...text.replaceAll('\n\n', '\r\n\r\n')));
    expect(await ask()).toMatchObject({ text: 'Good day.', error: undefined });
  });

  it('may come as a whole', async () => {
    service.meet(body(langflowResult('No stream here.')));
    expect(await ask()).toMatchObject({ text: 'No stream here.', error: undefined });
  });

  it.each<[unknown, string]>([
    [{ results: { text: { text: 'in a text', data: {} } } }, 'in a text'],
    [{ results: { data: { data: { text: 'in data' } } } }, 'in data'],
    [{ outputs: { message: { message: { text: 'in a message', sender: 'x' }, type: 'object' } } }, 'in a message'],
    [{ outputs: { message: { message: 'a message', type: 'text' } } }, 'a message'],
    [{ outputs: { text: 'alone' } }, 'alone'],
    [{ messages: [{ message: 'one' }, { message: 'two' }, {}] }, 'one\n\ntwo'],
    [{ results: { message: null }, outputs: [], messages: 'x' }, ''],
    [{}, ''],
    ['text', ''],
  ])('of the form %j has its text', (output, text) => {
    expect(textOfResult({ outputs: [{ outputs: [output, output] }, null] })).toBe(text);
  });
});

describe('the configuration', () => {
  it('ai.langflow-api.base-url: is where the server is, with a slash at the end or not', async () => {
    expect(await ask({}, { 'base-url': `${service.url}/` })).toMatchObject({ text: 'Forty-two.' });
    const other = await startFakeLangflow();
    await other.close();
    expect((await ask({}, { 'base-url': other.url })).error?.message).toMatch(/could not be reached/);
  });

  it('ai.langflow-api.api-key: goes with each call', async () => {
    expect((await ask({}, { 'api-key': 'sk-another' })).error).toMatchObject({ reason: 'provider_unauthorized' });
    await ask();
    expect(service.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['sk-another', service.apiKey]);
  });

  it('ai.langflow-api.flow-id: is the flow that answers', async () => {
    expect((await ask({}, { 'flow-id': 'an/other' })).error?.message).toMatch(/answered 404/);
    expect(service.requests.at(-1)?.path).toBe('/api/v1/run/an%2Fother?stream=true');
  });

  it('ai.langflow-api.input-type: is sent to the flow', async () => {
    await ask({}, { 'input-type': 'text' });
    expect(lastBody()).toMatchObject({ input_type: 'text', output_type: 'chat' });
    await ask({}, { 'input-type': ' ' });
    expect(lastBody()).toMatchObject({ input_type: 'chat' });
  });

  it('ai.langflow-api.output-type: is sent to the flow', async () => {
    await ask({}, { 'output-type': 'any' });
    expect(lastBody()).toMatchObject({ input_type: 'chat', output_type: 'any' });
  });

  it('ai.langflow-api.tweaks: go with each call', async () => {
    await ask({}, { tweaks: '{"Prompt-1": {"template": "short"}}' });
    expect(lastBody().tweaks).toEqual({ 'Prompt-1': { template: 'short' } });
    await ask({}, { tweaks: '' });
    expect(lastBody().tweaks).toEqual({});
    for (const tweaks of ['{"half', '[]', 'null', '1']) {
      const { error } = await ask({}, { tweaks });
      expect(error).toMatchObject({ reason: 'invalid_request', message: expect.stringContaining('tweaks') });
    }
    expect(service.requests).toHaveLength(2);
  });

  it.each(['api-key', 'flow-id', 'base-url'])('requires %s', async (field) => {
    for (const empty of ['', ' ', `your-${field}`]) {
      const { error } = await ask({}, { [field]: empty });
      const reason = field === 'api-key' ? 'provider_unauthorized' : 'invalid_request';
      expect(error).toMatchObject({ reason, message: expect.stringContaining(field) });
    }
    expect(service.requests).toEqual([]);
  });
});
