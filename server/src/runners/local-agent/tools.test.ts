import { type AllowedTools, ParleyError } from '@parley/sdk';
import {
  type FakeAnswer,
  type FakeTool,
  fakeLanguageModel,
  fakeTool,
  openedModel,
  silentLogger,
} from '@parley/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { askAgent, type Question } from './testing/ask-agent.ts';

const calling = (...names: string[]): FakeAnswer => ({
  toolCalls: names.map((toolName) => ({ toolName, input: { query: toolName } })),
});
const model = (...answers: FakeAnswer[]) => fakeLanguageModel({ answers });
const opening = (models: Record<string, ReturnType<typeof fakeLanguageModel>>, abilities = ['func_call']) => ({
  openModel: async (uuid: string) => openedModel(uuid, models[uuid] ?? fakeLanguageModel(), { abilities }),
});
const weather = fakeTool({ name: 'weather', answer: 'Sunny' });
const time = fakeTool({ name: 'time', answer: 'Noon' });

/** Calls one model that may call two tools. */
const ask = (first: ReturnType<typeof fakeLanguageModel>, question: Question = {}) =>
  askAgent({ context: { ...opening({ first }), tools: [weather, time] }, ...question });

/** The messages of one call of a model, from the question on. */
const shown = (asked: ReturnType<typeof fakeLanguageModel>, call: number) => asked.calls[call]?.prompt.slice(1) ?? [];

describe('tools of the built-in agent', () => {
  it('are offered to a model that calls functions', async () => {
    const first = model({ chunks: ['Hello'] });
    await ask(first);
    expect(first.calls[0]?.tools).toMatchObject([
      { type: 'function', name: 'weather', description: 'Looks something up.', inputSchema: weather.parameters },
      { type: 'function', name: 'time' },
    ]);
  });

  it.each<[string, { abilities?: string[]; tools?: FakeTool[]; most?: number }]>([
    ['the model calls no functions', { abilities: ['vision'] }],
    ['there are none', { tools: [] }],
    ['they may be called zero times', { most: 0 }],
  ])('are not mentioned where %s', async (_, { abilities = ['func_call'], tools = [weather], most = 8 }) => {
    const first = model({ chunks: ['Hello'] });
    const context = { ...opening({ first }, abilities), tools };
    expect(
      (await askAgent({ context, config: { model: { primary: 'first', fallbacks: [] }, 'max-tool-steps': most } }))
        .text,
    ).toBe('Hello');
    expect(first.calls[0]?.tools ?? []).toEqual([]);
  });

  it('are called, and their results are sent to the model', async () => {
    const first = model(calling('weather', 'time'), { chunks: ['It is ', 'sunny.'] });
    const { deltas, text, error } = await ask(first);
    expect(error).toBeUndefined();
    expect(text).toBe('It is sunny.');
    expect(deltas.map((delta) => (delta.type === 'tool_call' ? delta.name : delta.type))).toEqual([
      'model_call',
      'weather',
      'time',
      'text',
      'text',
      'model_call',
    ]);
    expect(shown(first, 1)).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'call-1-1', toolName: 'weather', input: { query: 'weather' } },
          { type: 'tool-call', toolCallId: 'call-1-2', toolName: 'time' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call-1-1', output: { type: 'text', value: 'Sunny' } },
          { type: 'tool-result', toolCallId: 'call-1-2', output: { type: 'text', value: 'Noon' } },
        ],
      },
    ]);
    expect(weather.calls.at(-1)?.parameters).toEqual({ query: 'weather' });
  });

  it('are announced before they run', async () => {
    const seen: string[] = [];
    const answer = async () => {
      seen.push('called');
      return 'Sunny';
    };
    const first = model(calling('weather'), { chunks: ['Done'] });
    const context = { ...opening({ first }), tools: [fakeTool({ name: 'weather', answer })] };
    await askAgent({ context, watch: (delta) => delta.type === 'tool_call' && seen.push('announced') });
    expect(seen).toEqual(['announced', 'called']);
  });

  it('run at the same time', async () => {
    let running = 0;
    let most = 0;
    const slow = fakeTool({
      name: 'weather',
      answer: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return 'Sunny';
      },
    });
    const first = model(calling('weather', 'weather', 'weather'), { chunks: ['Done'] });
    await askAgent({ context: { ...opening({ first }), tools: [slow] } });
    expect(most).toBe(3);
  });

  it('separate the text before their calls from the text after', async () => {
    const first = model({ ...calling('weather'), chunks: ['Let me', ' look.'] }, { chunks: ['\n', 'It is sunny.'] });
    expect((await ask(first)).text).toBe('Let me look.\n\n\nIt is sunny.');
    const ended = model({ ...calling('weather'), chunks: ['Let me look.\n'] }, { chunks: ['It is sunny.'] });
    expect((await ask(ended)).text).toBe('Let me look.\nIt is sunny.');
  });

  it('may be called last, after all text', async () => {
    const first = model({ ...calling('weather'), chunks: ['I have looked.'] }, { chunks: [] });
    const { text, error } = await ask(first);
    expect(error).toBeUndefined();
    expect(text).toBe('I have looked.');
    const silent = model(calling('weather'), { chunks: [] });
    expect((await ask(silent)).error).toMatchObject({ message: 'The model gave an empty answer.' });
  });

  it('ai.local-agent.max-tool-steps: are called as often as they may, then the model answers without them', async () => {
    const first = fakeLanguageModel({
      answers: [calling('weather'), calling('weather'), calling('weather'), { chunks: ['That is all.'] }],
    });
    const config = { model: { primary: 'first', fallbacks: [] }, 'max-tool-steps': 3 };
    const { text, tools, calls } = await ask(first, { config });
    expect(text).toBe('That is all.');
    expect(tools).toHaveLength(3);
    expect(first.calls.map((call) => call.tools?.length ?? 0)).toEqual([2, 2, 2, 0]);
    expect(calls.map(({ reason }) => reason)).toEqual([null, null, null, 'step_limit']);
  });

  it('end the answer when the model calls them although it may not', async () => {
    const endless = model(calling('weather'));
    const before = weather.calls.length;
    const { error, calls } = await ask(endless, {
      config: { model: { primary: 'first', fallbacks: [] }, 'max-tool-steps': 2 },
    });
    expect(error).toMatchObject({ name: 'ParleyError', reason: 'step_limit' });
    expect(calls.map(({ reason }) => reason)).toEqual([null, null, 'step_limit']);
    expect(weather.calls).toHaveLength(before + 2);
  });

  it('are not announced when there is no such tool, and the model receives an error', async () => {
    const first = model(calling('delete_everything'), { chunks: ['I cannot.'] });
    const { tools, text } = await ask(first);
    expect(tools).toEqual([]);
    expect(text).toBe('I cannot.');
    expect(shown(first, 1)[1]).toMatchObject({
      content: [{ output: { type: 'error-text', value: expect.stringContaining('no tool') } }],
    });
  });

  it('are called with a string if the model sent invalid JSON', async () => {
    const call = vi.fn<AllowedTools['call']>(async () => ({ text: 'err: no JSON', failed: true }));
    const first = model({ toolCalls: [{ toolName: 'weather', input: 'Ulm' }] }, { chunks: ['Well.'] });
    const tools: AllowedTools = { list: async () => [weather], call };
    const { text } = await askAgent({ context: { ...opening({ first }), tools } });
    expect(text).toBe('Well.');
    expect(call.mock.calls[0]?.slice(0, 2)).toEqual(['weather', 'Ulm']);
  });

  it('are called at once only so many', async () => {
    const many = fakeTool({ name: 'weather', answer: 'Sunny' });
    const first = model(calling(...Array.from({ length: 40 }, () => 'weather')), { chunks: ['Done'] });
    const { tools } = await askAgent({ context: { ...opening({ first }), tools: [many] } });
    expect(tools).toHaveLength(32);
    expect(many.calls).toHaveLength(32);
    const results = shown(first, 1)[1]?.content as { output: { value: string } }[];
    expect(results).toHaveLength(40);
    expect(results.at(-1)?.output.value).toContain('at most 32');
  });

  it('are done without when they cannot be listed', async () => {
    const tools: AllowedTools = {
      list: () => Promise.reject(new Error('no')),
      call: () => Promise.reject(new Error('no')),
    };
    const first = model({ chunks: ['Hello'] });
    const error = vi.fn();
    const context = { ...opening({ first }), tools, logger: { ...silentLogger, error } };
    expect((await askAgent({ context })).text).toBe('Hello');
    expect(error).toHaveBeenCalledOnce();
  });

  it('are abandoned when the answer is aborted', async () => {
    const controller = new AbortController();
    const reason = new ParleyError('cancelled', 'x');
    const call: AllowedTools['call'] = (_, __, signal) => {
      controller.abort(reason);
      signal.throwIfAborted();
      return new Promise(() => undefined);
    };
    const context = { ...opening({ first: model(calling('weather')) }), tools: { list: async () => [weather], call } };
    const { error, calls } = await askAgent({ context, signal: controller.signal });
    expect(error).toBe(reason);
    expect(calls).toHaveLength(1);
  });

  it('share the time of the answer', async () => {
    const call: AllowedTools['call'] = (_, __, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const context = { ...opening({ first: model(calling('weather')) }), tools: { list: async () => [weather], call } };
    const { error } = await askAgent({
      context,
      config: { model: { primary: 'first', fallbacks: [] }, 'max-answer-seconds': 1 },
    });
    expect(error).toMatchObject({ reason: 'time_limit' });
  });
});

describe('another model in a later round', () => {
  const config = { model: { primary: 'first', fallbacks: ['second'] } };
  const refused = { error: Object.assign(new Error('x'), { name: 'AI_APICallError', statusCode: 400 }) };

  it('continues with the results of the first one, and stays', async () => {
    const first = fakeLanguageModel({ answers: [{ reasoning: ['secret thought'], ...calling('weather') }, refused] });
    const second = model(calling('time'), { chunks: ['Sunny at noon.'] });
    const { text, calls, tools } = await ask(first, {
      config,
      context: { ...opening({ first, second }), tools: [weather, time] },
    });
    expect(text).toBe('Sunny at noon.');
    expect(tools).toEqual(['weather', 'time']);
    expect(calls.map(({ model_uuid, reason }) => [model_uuid, reason])).toEqual([
      ['first', null],
      ['first', 'provider_failed'],
      ['second', null],
      ['second', null],
    ]);
    // Thoughts of the first model are not sent.
    expect(JSON.stringify(first.calls[1]?.prompt)).toContain('secret thought');
    expect(JSON.stringify(second.calls[0]?.prompt)).not.toContain('secret thought');
    expect(shown(second, 0)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool-call', toolName: 'weather', input: { query: 'weather' } }] },
      { role: 'tool', content: [{ output: { value: 'Sunny' } }] },
    ]);
  });

  it('gets plain text when it does not support tools', async () => {
    const first = fakeLanguageModel({ answers: [{ ...calling('weather'), chunks: ['Let me look.'] }, refused] });
    const second = model({ chunks: ['Sunny.'] });
    const openModel = async (uuid: string) =>
      uuid === 'first' ? openedModel(uuid, first) : openedModel(uuid, second, { abilities: [] });
    const { text } = await ask(first, { config, context: { openModel, tools: [weather] } });
    expect(text).toBe('Let me look.\n\nSunny.');
    expect(second.calls[0]?.tools ?? []).toEqual([]);
    expect(shown(second, 0)).toMatchObject([
      { role: 'assistant', content: [{ type: 'text', text: 'Let me look.' }] },
      {
        role: 'user',
        content: [{ type: 'text', text: expect.stringContaining('weather({"query":"weather"}):\nSunny') }],
      },
    ]);
  });
});
