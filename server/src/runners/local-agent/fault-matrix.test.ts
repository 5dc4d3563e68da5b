import type { ToolSource } from '@parley/sdk';
import { fakeTool, pipelineMessage, silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServices, openModelServices } from '../../../test/factories/model-services.ts';
import { type FakeOpenAi, type FakeOpenAiBehaviour, startFakeOpenAi } from '../../../test/fakes/openai-server.ts';
import { insertMessage } from '../../../test/stores/insert-message.ts';
import { ToolGateway } from '../../core/tools/tool-gateway.ts';
import { openAiCompatible } from '../../providers/openai-compatible/index.ts';
import { KyselyToolCallStore } from '../../storage/tools/kysely-tool-call-store.ts';
import { type Answered, askAgent } from './testing/ask-agent.ts';

/*
 * Everything that may go wrong between the agent, a model service and a tool, over real sockets and with the real
 * stores: what comes of it, what is recorded of it, and that the next question is answered.
 */

const keys = ['sk-0123456789abcdefwxyz', 'sk-another-0123456789ab'];
const tools: ToolSource = {
  name: 'test',
  tools: async () => [
    fakeTool({ name: 'weather', answer: 'Sunny' }),
    fakeTool({ name: 'throws', answer: () => Promise.reject(new Error('password=hunter2')) }),
    fakeTool({ name: 'hangs', answer: () => new Promise<never>(() => undefined) }),
    fakeTool({ name: 'talks', answer: '今'.repeat(700_000) }),
  ],
};

let services: ModelServices;
let server: FakeOpenAi;
let toolCalls: KyselyToolCallStore;
/** The models `first` and `second`, each with a provider of its own at the same server. */
let models: string[];

beforeEach(async () => {
  services = await openModelServices(openAiCompatible);
  server = await startFakeOpenAi();
  toolCalls = new KyselyToolCallStore(services.storage.database);
  models = [];
  for (const [name, api_keys] of Object.entries({ first: [keys[0] as string], second: [] })) {
    models.push(
      await services.models.llm.create({
        name,
        provider: { requester: 'openai-chat-completions', base_url: server.base_url, api_keys },
        abilities: ['func_call'],
      }),
    );
  }
});
afterEach(async () => {
  await server.close();
  await services.close();
});

/** What came of a question: the answer, and how the calls that it caused ended. */
interface Outcome {
  text: string;
  reason: string | null;
  retryAfterSeconds?: number;
  /** Of each request: the model, why it failed, whether a piece came before. */
  requests: [model: string, reason: string | null, hadPiece: boolean][];
  tools: [name: string, state: string, reason: string | null][];
}

async function ask({ fallback = false, maximumRetries = 1 } = {}): Promise<Outcome & { answered: Answered }> {
  const message = await insertMessage(services.storage.database);
  const gateway = new ToolGateway(toolCalls, { sources: [tools], logger: silentLogger });
  const rights = { allowed: ['*'], timeoutMilliseconds: 150 };
  const answered = await askAgent({
    agent: { silenceTimeoutMs: 200, maximumRetries },
    config: { model: { primary: models[0], fallbacks: fallback ? [models[1]] : [] } },
    message: pipelineMessage({ uuid: message }),
    context: {
      openModel: (uuid) => services.opener.open(uuid),
      tools: gateway.forMessage(pipelineMessage({ uuid: message }), rights, () => undefined),
    },
  });
  const error = answered.error as { reason?: string; retryAfterSeconds?: number } | undefined;
  return {
    answered,
    text: answered.text,
    reason: error === undefined ? null : (error.reason ?? String(error)),
    ...(error?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    requests: answered.calls.map((call) => [call.model_name, call.reason, call.first_piece_milliseconds !== null]),
    tools: (await toolCalls.ofMessage(message)).map(({ tool_name, state, reason }) => [tool_name, state, reason]),
  };
}

const fine: FakeOpenAiBehaviour = { kind: 'answer', chunks: ['Fine', '.'] };
const calling = (...names: string[]): FakeOpenAiBehaviour => ({
  kind: 'tool_calls',
  calls: names.map((name) => ({ name, arguments: { query: 'x' } })),
});
/** What each request meets in turn, and all later ones like the last. */
const inTurn = (...behaviours: FakeOpenAiBehaviour[]) => {
  const before = server.requests.length;
  server.behave((index) => behaviours[index - before] ?? (behaviours.at(-1) as FakeOpenAiBehaviour));
};

async function expectNextToWork() {
  server.behave(fine);
  expect(await ask()).toMatchObject({ text: 'Fine.', reason: null, requests: [['first', null, true]], tools: [] });
}

/** What the model was shown at last. */
const lastMessages = () => (server.requests.at(-1)?.body?.messages ?? []) as { role: string; content: string }[];

const timeout = 'provider_timeout';
const failed = 'provider_failed';
const unreachable = 'provider_unreachable';

describe('a model service', () => {
  it.each<[string, FakeOpenAiBehaviour[], Omit<Outcome, 'tools'>]>([
    [
      'is slow to begin',
      [{ kind: 'answer', headersAfterMs: 5000 }],
      { text: '', reason: timeout, requests: [['first', timeout, false]] },
    ],
    ['never begins', [{ kind: 'stall' }], { text: '', reason: timeout, requests: [['first', timeout, false]] }],
    [
      'stops in the middle',
      [{ kind: 'stall', chunks: ['Well, '] }],
      { text: 'Well, ', reason: timeout, requests: [['first', timeout, true]] },
    ],
    [
      'is cut off in the middle',
      [{ kind: 'cut', chunks: ['Well, '] }],
      { text: 'Well, ', reason: failed, requests: [['first', failed, true]] },
    ],
    [
      'is cut off before the first word, once',
      [{ kind: 'cut', chunks: [] }, fine],
      {
        text: 'Fine.',
        reason: null,
        requests: [
          ['first', failed, false],
          ['first', null, true],
        ],
      },
    ],
    [
      'ends without an end',
      [{ kind: 'unfinished', chunks: ['Well, '] }],
      { text: 'Well, ', reason: failed, requests: [['first', failed, true]] },
    ],
    [
      'sends what is no JSON',
      [{ kind: 'malformed', chunks: ['Well, '] }],
      { text: 'Well, ', reason: failed, requests: [['first', failed, true]] },
    ],
    [
      'sends nothing but what is no JSON, each time',
      [{ kind: 'malformed', chunks: [] }],
      {
        text: '',
        reason: failed,
        requests: [
          ['first', failed, false],
          ['first', failed, false],
        ],
      },
    ],
    [
      'does not accept the key',
      [{ kind: 'error', status: 401 }],
      { text: '', reason: 'provider_unauthorized', requests: [['first', 'provider_unauthorized', false]] },
    ],
    [
      'has had enough for two minutes',
      [{ kind: 'error', status: 429, headers: { 'retry-after': '120' } }],
      { text: '', reason: 'quota', retryAfterSeconds: 120, requests: [['first', 'quota', false]] },
    ],
    [
      'has had enough for a second',
      [{ kind: 'error', status: 429, headers: { 'retry-after': '1' } }, fine],
      {
        text: 'Fine.',
        reason: null,
        requests: [
          ['first', 'quota', false],
          ['first', null, true],
        ],
      },
    ],
    [
      'is broken',
      [{ kind: 'error', status: 500 }],
      {
        text: '',
        reason: failed,
        requests: [
          ['first', failed, false],
          ['first', failed, false],
        ],
      },
    ],
    [
      'is broken for a moment',
      [{ kind: 'error', status: 500 }, fine],
      {
        text: 'Fine.',
        reason: null,
        requests: [
          ['first', failed, false],
          ['first', null, true],
        ],
      },
    ],
    [
      'tells of an error in the middle',
      [{ kind: 'stream-error', chunks: ['Well, '], message: 'overloaded' }],
      { text: 'Well, ', reason: failed, requests: [['first', failed, true]] },
    ],
    [
      'says nothing',
      [{ kind: 'answer', chunks: [] }],
      { text: '', reason: failed, requests: [['first', failed, false]] },
    ],
  ])('%s', async (_, behaviours, expected) => {
    inTurn(...behaviours);
    const { answered, ...outcome } = await ask();
    expect(outcome).toEqual({ ...expected, tools: [] });
    for (const key of keys) expect(JSON.stringify(answered)).not.toContain(key);
    for (const call of answered.calls) expect(call.error === null).toBe(call.reason === null);
    // Nobody goes on listening to a service that was given up.
    if (expected.reason === timeout) await server.requests.at(-1)?.closed;
    await expectNextToWork();
  });

  it('is not there, and comes back', async () => {
    const { port } = server;
    await server.close();
    const { answered, ...outcome } = await ask();
    expect(outcome).toEqual({
      text: '',
      reason: unreachable,
      requests: [
        ['first', unreachable, false],
        ['first', unreachable, false],
      ],
      tools: [],
    });
    expect(answered.error).toMatchObject({ message: 'The model provider could not be reached (ECONNREFUSED).' });
    server = await startFakeOpenAi(fine, port);
    await expectNextToWork();
  });

  it('has a second key where the first is not accepted, and the first is left alone', async () => {
    const [provider] = (await services.providers.list()).filter(({ api_keys }) => api_keys.length > 0);
    await services.providers.update(provider?.uuid ?? '', { api_keys: keys });
    inTurn({ kind: 'error', status: 401 }, fine);
    expect(await ask()).toMatchObject({
      text: 'Fine.',
      reason: null,
      requests: [
        ['first', 'provider_unauthorized', false],
        ['first', null, true],
      ],
    });
    const used = () => server.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
    expect(used()).toEqual(keys);
    for (let times = 0; times < 3; times += 1) await expectNextToWork();
    expect(used().slice(2)).toEqual([keys[1], keys[1], keys[1]]);
  });

  it.each<[string, FakeOpenAiBehaviour, string]>([
    ['is slow to begin', { kind: 'answer', headersAfterMs: 5000 }, timeout],
    ['does not accept the key', { kind: 'error', status: 401 }, 'provider_unauthorized'],
    ['has had enough', { kind: 'error', status: 429 }, 'quota'],
    ['says nothing', { kind: 'answer', chunks: [] }, failed],
  ])('%s, and another model answers', async (_, behaviour, reason) => {
    inTurn(behaviour, fine);
    expect(await ask({ fallback: true })).toMatchObject({
      text: 'Fine.',
      reason: null,
      requests: [
        ['first', reason, false],
        ['second', null, true],
      ],
    });
    await expectNextToWork();
  });

  it('fails between two calls of tools, and another model goes on', async () => {
    inTurn(
      calling('weather'),
      { kind: 'error', status: 500 },
      { kind: 'error', status: 500 },
      calling('weather'),
      fine,
    );
    expect(await ask({ fallback: true })).toMatchObject({
      text: 'Fine.',
      reason: null,
      requests: [
        ['first', null, true],
        ['first', failed, false],
        ['first', failed, false],
        ['second', null, true],
        ['second', null, true],
      ],
      tools: [
        ['weather', 'succeeded', null],
        ['weather', 'succeeded', null],
      ],
    });
    expect(lastMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    await expectNextToWork();
  });

  it('is cut off while it asks for tools, which are not called', async () => {
    const calls = [{ name: 'weather', arguments: { query: 'x' } }];
    inTurn({ kind: 'cut', chunks: [], calls }, fine);
    expect(await ask()).toMatchObject({
      text: 'Fine.',
      reason: null,
      requests: [
        ['first', failed, true],
        ['first', null, true],
      ],
      tools: [],
    });
    await expectNextToWork();
  });
});

describe('a tool', () => {
  /** What the model was told that a tool answered. */
  const told = () => lastMessages().flatMap(({ role, content }) => (role === 'tool' ? content : []));

  it.each<[string, FakeOpenAiBehaviour, Outcome['tools'], RegExp[]]>([
    ['throws', calling('throws'), [['throws', 'failed', 'tool_failed']], [/^err: the tool failed$/]],
    [
      'never answers',
      calling('hangs'),
      [['hangs', 'failed', 'tool_timeout']],
      [/^err: the tool did not answer within/],
    ],
    [
      'answers 2 MB',
      calling('talks'),
      [['talks', 'succeeded', null]],
      [/^今{21845}\n\[Cut here: the whole has 2100000 bytes/],
    ],
    ['is not there', calling('delete_all'), [['delete_all', 'failed', 'tool_not_allowed']], [/^err: there is no tool/]],
    [
      'is called with half of its arguments',
      { kind: 'tool_calls', calls: [{ name: 'weather', arguments: '{"query": "x' }] },
      [['weather', 'failed', 'invalid_request']],
      [/^err: the parameters are not right: they must be a JSON object/],
    ],
    [
      'is called with what it does not take',
      { kind: 'tool_calls', calls: [{ name: 'weather', arguments: { town: 'x' } }] },
      [['weather', 'failed', 'invalid_request']],
      [/^err: the parameters are not right: the object must have required property 'query'/],
    ],
    [
      'fails beside another that does not',
      calling('throws', 'weather', 'hangs'),
      [
        ['throws', 'failed', 'tool_failed'],
        ['weather', 'succeeded', null],
        ['hangs', 'failed', 'tool_timeout'],
      ],
      [/^err: the tool failed$/, /^Sunny$/, /^err: the tool did not answer/],
    ],
  ])('%s, and the model answers all the same', async (_, behaviour, expectedTools, expectedTold) => {
    inTurn(behaviour, fine);
    const { answered, ...outcome } = await ask();
    expect(outcome).toEqual({
      text: 'Fine.',
      reason: null,
      requests: [
        ['first', null, true],
        ['first', null, true],
      ],
      tools: expectedTools,
    });
    const results = told();
    expect(results).toHaveLength(expectedTold.length);
    for (const [index, pattern] of expectedTold.entries()) expect(results[index]).toMatch(pattern);
    expect(JSON.stringify(answered) + results.join()).not.toContain('hunter2');
    await expectNextToWork();
  });

  it('is called without end, and is stopped', async () => {
    server.behave(calling('weather'));
    const { text, reason, requests, tools: called } = await ask();
    expect([text, reason]).toEqual(['', 'step_limit']);
    expect(called).toHaveLength(8);
    expect(requests).toHaveLength(9);
    expect(server.requests.at(-1)?.body?.tools).toBeUndefined();
    await expectNextToWork();
  });
});
