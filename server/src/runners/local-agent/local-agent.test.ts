import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  type OpenedModel,
  ParleyError,
  type RunnerContext,
  type RunnerDelta,
  type RunnerRequest,
  readConfig,
} from '@parley/sdk';
import {
  fakeLanguageModel,
  fakeRunnerContext,
  openedModel,
  pipelineMessage,
  runnerContract,
  silentLogger,
} from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeOpenAi, type FakeOpenAiBehaviour, startFakeOpenAi } from '../../../test/fakes/openai-server.ts';
import { createGuardedFetch } from '../../kit/guarded-fetch.ts';
import { type LocalAgentConfig, localAgentConfig } from './config.ts';
import { createLocalAgent, localAgent } from './index.ts';

runnerContract({
  runner: localAgent,
  config: () => ({ model: { primary: 'short', fallbacks: [] } }),
  endlessConfig: () => ({ model: { primary: 'endless', fallbacks: [] } }),
});

let server: FakeOpenAi;
beforeEach(async () => {
  server = await startFakeOpenAi();
});
afterEach(() => server.close());

const guardedFetch = createGuardedFetch({ policy: 'saved' });
const key = 'a-very-secret-key';

/** Opens every model at one address, its name being its id. */
function openAt(baseURL: string): RunnerContext['openModel'] {
  return async (uuid) => {
    const provider = createOpenAICompatible({
      name: 'fake',
      baseURL,
      apiKey: key,
      fetch: guardedFetch,
      includeUsage: true,
    });
    return openedModel(uuid, provider.chatModel(uuid), { name: uuid });
  };
}

async function openModel(uuid: string): Promise<OpenedModel> {
  if (uuid === 'missing') throw new ParleyError('model_not_configured', 'There is no such model.');
  return openAt(server.base_url)(uuid);
}

const agent = createLocalAgent({ maximumRetries: 0, silenceTimeoutMs: 10_000, retryPauseMs: 1 });

function ask(fields: Partial<RunnerRequest> = {}, context: Partial<RunnerContext> = {}, runner = agent) {
  const config: LocalAgentConfig = readConfig(localAgentConfig, {
    prompt: [],
    ...(fields.config ?? { model: { primary: 'first', fallbacks: [] } }),
  });
  const request: RunnerRequest<LocalAgentConfig> = {
    prompt: runner.prompt?.(config) ?? [],
    knowledge_bases: [],
    message: pipelineMessage(),
    history: [],
    text: 'Hi',
    message_chain: [{ type: 'Plain', text: 'Hi' }],
    variables: {},
    signal: new AbortController().signal,
    ...fields,
    config,
  };
  return runner.answer(request, { ...fakeRunnerContext({ openModel }), ...context });
}

async function collect(answer: AsyncIterable<RunnerDelta>) {
  const deltas: RunnerDelta[] = [];
  let error: unknown;
  try {
    for await (const delta of answer) deltas.push(delta);
  } catch (thrown) {
    error = thrown;
  }
  const textOf = (type: 'text' | 'reasoning') =>
    deltas.map((delta) => (delta.type === type ? delta.text : '')).join('');
  return { deltas, text: textOf('text'), reasoning: textOf('reasoning'), error: error as ParleyError };
}

const twoModels = { model: { primary: 'first', fallbacks: ['second'] } };
const modelsAsked = () => server.requests.map(({ body }) => body?.model);

describe('local-agent', () => {
  it('ai.local-agent.prompt: sends the prompt, the history and the text, in this order', async () => {
    const { error } = await collect(
      ask({
        config: { model: { primary: 'first', fallbacks: [] }, prompt: [{ role: 'system', content: 'Be kind.' }] },
        history: [
          { role: 'user', text: 'Hello', message_chain: [] },
          { role: 'assistant', text: 'Hello!', message_chain: [] },
        ],
        text: 'How are you?',
      }),
    );
    expect(error).toBeUndefined();
    expect(server.requests[0]?.body?.messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'How are you?' },
    ]);
  });

  it('puts additional instructions after the system prompt and before examples', async () => {
    const prompt = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Ping' },
      { role: 'assistant', content: 'Pong' },
    ];
    const added = { role: 'system', content: 'Be brief.' };
    await collect(
      ask({ config: { model: { primary: 'first', fallbacks: [] }, prompt }, text: 'Hi', instructions: added.content }),
    );
    await collect(
      ask({
        config: { model: { primary: 'first', fallbacks: [] }, prompt: [] },
        text: 'Hi',
        instructions: added.content,
      }),
    );
    const question = { role: 'user', content: 'Hi' };
    expect(server.requests.map(({ body }) => body?.messages)).toEqual([
      [prompt[0], added, ...prompt.slice(1), question],
      [added, question],
    ]);
  });

  it('hands on text, reasoning and usage as they come', async () => {
    server.behave({
      kind: 'answer',
      reasoning: ['Let me', ' see'],
      chunks: ['It ', 'is 4', '.'],
      usage: { prompt_tokens: 12, completion_tokens: 5 },
    });
    const { deltas, error } = await collect(ask());
    expect(error).toBeUndefined();
    expect(deltas).toEqual([
      { type: 'reasoning', text: 'Let me' },
      { type: 'reasoning', text: ' see' },
      { type: 'text', text: 'It ' },
      { type: 'text', text: 'is 4' },
      { type: 'text', text: '.' },
      {
        type: 'model_call',
        call: {
          model_uuid: 'first',
          model_name: 'first',
          started_at: expect.stringMatching(/Z$/),
          milliseconds: expect.any(Number),
          first_piece_milliseconds: expect.any(Number),
          input_tokens: 12,
          output_tokens: 5,
          reason: null,
          error: null,
        },
      },
    ]);
  });

  it('counts no tokens where the provider counts none', async () => {
    server.behave({ kind: 'answer', usage: null });
    const { deltas } = await collect(ask());
    expect(deltas.at(-1)).toMatchObject({
      type: 'model_call',
      call: { input_tokens: 0, output_tokens: 0, reason: null },
    });
  });

  it.each([{}, { model: { primary: '', fallbacks: [] } }, { model: { primary: 'missing', fallbacks: [] } }])(
    'without a model in %j reports that none is configured',
    async (config) => {
      const { error } = await collect(ask({ config }));
      expect(error).toMatchObject({ name: 'ParleyError', reason: 'model_not_configured' });
    },
  );

  it.each<[string, FakeOpenAiBehaviour, Partial<ParleyError>]>([
    ['401', { kind: 'error', status: 401, message: `Wrong key ${key}` }, { reason: 'provider_unauthorized' }],
    ['403', { kind: 'error', status: 403 }, { reason: 'provider_unauthorized' }],
    ['402', { kind: 'error', status: 402 }, { reason: 'quota' }],
    [
      '429',
      { kind: 'error', status: 429, headers: { 'retry-after': '17' } },
      { reason: 'quota', retryAfterSeconds: 17 },
    ],
    ['504', { kind: 'error', status: 504 }, { reason: 'provider_timeout' }],
    [
      '400',
      { kind: 'error', status: 400, message: 'No such\n model' },
      { reason: 'unknown_model', message: 'The model provider does not know the model: No such model.' },
    ],
    [
      '500 with a page',
      { kind: 'error', status: 500, body: '<html>stack trace</html>' },
      { reason: 'provider_failed', message: 'The model provider answered 500: Internal Server Error.' },
    ],
    ['a cut stream', { kind: 'cut', chunks: ['Well'] }, { reason: 'provider_failed' }],
    ['a cut before any text', { kind: 'cut', chunks: [] }, { reason: 'provider_failed' }],
    ['an unfinished stream', { kind: 'unfinished', chunks: ['Well'] }, { reason: 'provider_failed' }],
    ['a malformed stream', { kind: 'malformed', chunks: ['Well'] }, { reason: 'provider_failed' }],
    [
      'an error in the stream',
      { kind: 'stream-error', chunks: ['Well'], message: 'out of memory' },
      { reason: 'provider_failed', message: 'The model provider failed the call: out of memory.' },
    ],
    [
      'a status in the stream',
      { kind: 'stream-error', chunks: [], message: 'slow down', code: 429 },
      { reason: 'quota' },
    ],
    [
      'an empty answer',
      { kind: 'answer', chunks: [] },
      { reason: 'provider_failed', message: 'The model gave an empty answer.' },
    ],
    [
      'an answer of white space',
      { kind: 'answer', chunks: [' ', '\n'] },
      { reason: 'provider_failed', message: 'The model gave an empty answer.' },
    ],
  ])('turns %s into a reason', async (_what, behaviour, expected) => {
    server.behave(behaviour);
    const { error } = await collect(ask());
    expect(error).toBeInstanceOf(ParleyError);
    expect(error).toMatchObject(expected);
    expect(error.message).not.toContain(key);
    expect(error.cause).toBeUndefined();
  });

  it('reports a refused connection', async () => {
    const nowhere = await startFakeOpenAi();
    await nowhere.close();
    const { error } = await collect(ask({}, { openModel: openAt(nowhere.base_url) }));
    expect(error).toMatchObject({
      reason: 'provider_unreachable',
      message: 'The model provider could not be reached (ECONNREFUSED).',
    });
  });

  it('reports a blocked address', async () => {
    const { error } = await collect(ask({}, { openModel: openAt('http://169.254.169.254/v1') }));
    expect(error).toMatchObject({ name: 'ParleyError', reason: 'address_not_allowed' });
  });

  it.each<[string, FakeOpenAiBehaviour]>([
    ['before it answers', { kind: 'stall' }],
    ['after the first words', { kind: 'stall', chunks: ['Well'] }],
  ])('times out a model that stalls %s', async (_when, behaviour) => {
    server.behave(behaviour);
    const impatient = createLocalAgent({ maximumRetries: 0, silenceTimeoutMs: 100 });
    const { error } = await collect(ask({}, {}, impatient));
    expect(error).toMatchObject({ name: 'ParleyError', reason: 'provider_timeout' });
    await server.requests[0]?.closed;
  });

  it('names a time limit of the caller as such', async () => {
    server.behave({ kind: 'stall', chunks: ['Well'] });
    const { error } = await collect(ask({ signal: AbortSignal.timeout(100) }));
    expect(error).toMatchObject({ name: 'ParleyError', reason: 'provider_timeout' });
  });

  it.each<[string, FakeOpenAiBehaviour]>([
    ['before it answers', { kind: 'stall' }],
    ['half-way', { kind: 'stall', chunks: ['Well'] }],
  ])('ends at once with the reason and disconnects when the answer is aborted %s', async (_when, behaviour) => {
    server.behave(behaviour);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const collected = collect(ask({ config: twoModels, signal: controller.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(reason);
    expect((await collected).error).toBe(reason);
    await server.requests[0]?.closed;
    expect(modelsAsked()).toEqual(['first']);
  });

  it('hangs up when its reader leaves half-way', async () => {
    server.behave({ kind: 'stall', chunks: ['Well'] });
    for await (const delta of ask()) {
      expect(delta).toEqual({ type: 'text', text: 'Well' });
      break;
    }
    await server.requests[0]?.closed;
  });

  it.each<[string, FakeOpenAiBehaviour]>([
    ['refuses the key', { kind: 'error', status: 401 }],
    ['is overloaded', { kind: 'error', status: 500 }],
    ['returns nothing', { kind: 'answer', chunks: [] }],
    ['breaks off before the first word', { kind: 'cut', chunks: [] }],
  ])('ai.local-agent.model: calls the next model when the first one %s', async (_what, behaviour) => {
    server.behave((index) => (index === 0 ? behaviour : { kind: 'answer', chunks: ['Second'] }));
    const warn = vi.fn();
    const { text, error } = await collect(ask({ config: twoModels }, { logger: { ...silentLogger, warn } }));
    expect(error).toBeUndefined();
    expect(text).toBe('Second');
    expect(modelsAsked()).toEqual(['first', 'second']);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('calls the next model when the first one is gone', async () => {
    const { text } = await collect(ask({ config: { model: { primary: 'missing', fallbacks: ['second'] } } }));
    expect(text).toBe('Hello from the fake model.');
    expect(modelsAsked()).toEqual(['second']);
  });

  it('calls no other model once there was text', async () => {
    server.behave({ kind: 'cut', chunks: ['Well'] });
    const { text, error } = await collect(ask({ config: twoModels }));
    expect(text).toBe('Well');
    expect(error).toMatchObject({ reason: 'provider_failed' });
    expect(modelsAsked()).toEqual(['first']);
  });

  it('reports the error of the first model when none answers', async () => {
    server.behave((index) => ({ kind: 'error', status: index === 0 ? 429 : 500 }));
    const { error } = await collect(ask({ config: twoModels }));
    expect(error).toMatchObject({ reason: 'quota' });
  });

  it('retries the last model after a transient failure', async () => {
    server.behave((index) => (index === 0 ? { kind: 'error', status: 503 } : { kind: 'answer' }));
    const { text } = await collect(ask({}, {}, createLocalAgent({ maximumRetries: 1, retryPauseMs: 1 })));
    expect(text).toBe('Hello from the fake model.');
    expect(modelsAsked()).toEqual(['first', 'first']);
  });

  it('reports an answer blocked by the content filter of a provider', async () => {
    const model = fakeLanguageModel({ chunks: [], finishReason: 'content-filter' });
    const { error } = await collect(ask({}, { openModel: async (uuid) => openedModel(uuid, model) }));
    expect(error).toMatchObject({ reason: 'provider_failed', message: expect.stringContaining('content filter') });
  });

  it.each(['interrupted', 'error'] as const)('takes the finish reason %s for a cut answer', async (finishReason) => {
    const model = fakeLanguageModel({ finishReason });
    const { error } = await collect(ask({}, { openModel: async (uuid) => openedModel(uuid, model) }));
    expect(error).toMatchObject({ reason: 'provider_failed', message: 'The answer of the model provider broke off.' });
  });

  it('prints nothing', async () => {
    const spies = [
      ...(['log', 'warn', 'error', 'info'] as const).map((name) => vi.spyOn(console, name)),
      vi.spyOn(process, 'emitWarning'),
    ];
    server.behave({ kind: 'error', status: 500 });
    await collect(ask());
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});
