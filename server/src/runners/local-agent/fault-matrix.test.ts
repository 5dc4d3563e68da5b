import { describe, expect, it } from 'vitest';
import { agentWithServices, calling, fine, keys, type Outcome } from '../../../test/factories/agent-with-services.ts';
import type { FakeOpenAiBehaviour } from '../../../test/fakes/openai-server.ts';

/*
 * Everything that may go wrong between the agent, a model service and a tool, over real sockets and with the real
 * stores: what comes of it, what is recorded of it, and that the next question is answered.
 */

const { ask, inTurn, expectNextToWork, lastMessages, services, server, replaceServer } = agentWithServices();

const timeout = 'provider_timeout';
const failed = 'provider_failed';
const unreachable = 'provider_unreachable';

describe('a model service', () => {
  it.each<[string, FakeOpenAiBehaviour[], Omit<Outcome, 'tools'>]>([
    [
      'is slow to start',
      [{ kind: 'answer', headersAfterMs: 5000 }],
      { text: '', reason: timeout, requests: [['first', timeout, false]] },
    ],
    ['never starts', [{ kind: 'stall' }], { text: '', reason: timeout, requests: [['first', timeout, false]] }],
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
      'sends invalid JSON',
      [{ kind: 'malformed', chunks: ['Well, '] }],
      { text: 'Well, ', reason: failed, requests: [['first', failed, true]] },
    ],
    [
      'sends only invalid JSON, each time',
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
      'fails temporarily',
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
      'reports an error in the middle',
      [{ kind: 'stream-error', chunks: ['Well, '], message: 'overloaded' }],
      { text: 'Well, ', reason: failed, requests: [['first', failed, true]] },
    ],
    [
      'returns nothing',
      [{ kind: 'answer', chunks: [] }],
      { text: '', reason: failed, requests: [['first', failed, false]] },
    ],
  ])('%s', async (_, behaviours, expected) => {
    inTurn(...behaviours);
    const { answered, ...outcome } = await ask();
    expect(outcome).toEqual({ ...expected, tools: [] });
    for (const key of keys) expect(JSON.stringify(answered)).not.toContain(key);
    for (const call of answered.calls) expect(call.error === null).toBe(call.reason === null);
    // Aborted requests are closed.
    if (expected.reason === timeout) await server().requests.at(-1)?.closed;
    await expectNextToWork();
  });

  it('is not there, and comes back', async () => {
    const { port } = server();
    await server().close();
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
    await replaceServer(fine, port);
    await expectNextToWork();
  });

  it('uses a second key where the first is rejected, and puts the first on cooldown', async () => {
    const [provider] = (await services().providers.list()).filter(({ api_keys }) => api_keys.length > 0);
    await services().providers.update(provider?.uuid ?? '', { api_keys: keys });
    inTurn({ kind: 'error', status: 401 }, fine);
    expect(await ask()).toMatchObject({
      text: 'Fine.',
      reason: null,
      requests: [
        ['first', 'provider_unauthorized', false],
        ['first', null, true],
      ],
    });
    const used = () => server().requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
    expect(used()).toEqual(keys);
    for (let times = 0; times < 3; times += 1) await expectNextToWork();
    expect(used().slice(2)).toEqual([keys[1], keys[1], keys[1]]);
  });

  it.each<[string, FakeOpenAiBehaviour, string]>([
    ['is slow to start', { kind: 'answer', headersAfterMs: 5000 }, timeout],
    ['does not accept the key', { kind: 'error', status: 401 }, 'provider_unauthorized'],
    ['has had enough', { kind: 'error', status: 429 }, 'quota'],
    ['returns nothing', { kind: 'answer', chunks: [] }, failed],
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

  it('fails between two calls of tools, and another model continues', async () => {
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

  it('is cut off during tool calls, which are not run', async () => {
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
  /** Tool results in the messages to the model. */
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
      [/^今{21845}\n\[Truncated: the full text has 2100000 bytes/],
    ],
    ['is not there', calling('delete_all'), [['delete_all', 'failed', 'tool_not_allowed']], [/^err: there is no tool/]],
    [
      'is called with half of its arguments',
      { kind: 'tool_calls', calls: [{ name: 'weather', arguments: '{"query": "x' }] },
      [['weather', 'failed', 'invalid_request']],
      [/^err: the parameters are not right: they must be a JSON object/],
    ],
    [
      'is called with invalid arguments',
      { kind: 'tool_calls', calls: [{ name: 'weather', arguments: { town: 'x' } }] },
      [['weather', 'failed', 'invalid_request']],
      [/^err: the parameters are not right: the object must have required property 'query'/],
    ],
    [
      'fails next to another that does not',
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
    server().behave(calling('weather'));
    const { text, reason, requests, tools: called } = await ask();
    expect([text, reason]).toEqual(['', 'step_limit']);
    expect(called).toHaveLength(8);
    expect(requests).toHaveLength(9);
    expect(server().requests.at(-1)?.body?.tools).toBeUndefined();
    await expectNextToWork();
  });
});
