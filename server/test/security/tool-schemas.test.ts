import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeMcpServer, startFakeMcp } from '../../src/mcp/testing/fake-mcp-server.ts';
import { type AgentWithServers, startAgentWithServers } from '../factories/agent-with-servers.ts';
import { watchBlocks } from '../factories/longest-block.ts';

/*
 * Schemas of tools and parameters of models that are made to hold up the service. Each of them used to stop the event loop
 * for longer than the limit below, most of them for ever.
 */

const mostMs = 2000;
let agent: AgentWithServers;
let mcp: FakeMcpServer;
let calls: string[];

const done = { content: [{ type: 'text', text: 'done' }] };
const victim = `${'a'.repeat(45)}!`;

/** Each definition names the one before it twice, 32 times: less than 2 KB. */
const doubling = {
  type: 'object',
  properties: { id: { $ref: '#/$defs/a32' } },
  $defs: Object.fromEntries(
    Array.from({ length: 33 }, (_, level) => [
      `a${level}`,
      level === 0 ? { type: 'string' } : { allOf: [1, 2].map(() => ({ $ref: `#/$defs/a${level - 1}` })) },
    ]),
  ),
};
const withPattern = (pattern: string) => ({ type: 'object', properties: { id: { type: 'string', pattern } } });
const nested = (depth: number): object => (depth === 0 ? { type: 'string' } : { properties: { a: nested(depth - 1) } });

const tools: Record<string, object> = {
  plain: { type: 'object', properties: { id: { type: 'string' } } },
  naive: withPattern('^([a-zA-Z0-9]+\\s?)*$'),
  look_ahead: withPattern('^(?=a)([a-z]+)*$'),
  doubling,
  deep: nested(200),
  large: { description: 'x'.repeat(100_000) },
  wide: { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a${index}`, {}])) },
  unique: { properties: { items: { uniqueItems: true } } },
  broken: { properties: { id: { type: 'nonsense' } } },
};
const unusable = ['doubling', 'deep', 'large', 'wide'];

beforeAll(async () => {
  calls = [];
  const answer = (name: string) => () => {
    calls.push(name);
    return done;
  };
  mcp = await startFakeMcp(Object.fromEntries(Object.keys(tools).map((name) => [name, answer(name)])));
  mcp.setPages([Object.entries(tools).map(([name, inputSchema]) => ({ name, inputSchema }))]);
  agent = await startAgentWithServers();
  await agent.connect('hostile', 'http', { url: mcp.url });
}, 60_000);
afterAll(async () => {
  await agent.stop();
  await mcp.close();
});
beforeEach(() => {
  calls.length = 0;
});

describe('a tool of an MCP server', () => {
  it('is called with parameters that fit', async () => {
    expect(await agent.call('plain', { id: 'x' })).toMatchObject({ state: 'succeeded', result: 'done' });
    expect(await agent.call('naive', { id: 'abc def' })).toMatchObject({ state: 'succeeded' });
    expect(await agent.call('look_ahead', { id: 'abc' })).toMatchObject({ state: 'succeeded' });
    expect(calls).toEqual(['plain', 'naive', 'look_ahead']);
  });

  it.each<[string, object, string, RegExp]>([
    ['naive', { id: victim }, 'invalid_request', /must match pattern/],
    ['naive', { id: 'a'.repeat(200_000) + victim }, 'invalid_request', /must match pattern/],
    ['look_ahead', { id: victim }, 'tool_failed', /checking its parameters took longer than 1 s/],
    [
      'unique',
      { items: Array.from({ length: 30_000 }, (_, index) => [index]) },
      'tool_failed',
      /checking its parameters took longer than 1 s/,
    ],
    ['broken', {}, 'tool_failed', /its schema cannot be used/],
    ...unusable.map((name): [string, object, string, RegExp] => [
      name,
      { id: 'x' },
      'tool_not_allowed',
      /no tool named/,
    ]),
  ])('%s is not called, and holds nothing up, case %$', async (name, parameters, reason, error) => {
    const watch = watchBlocks();
    const called = await agent.call(name, parameters);
    expect(watch.end()).toBeLessThan(mostMs);
    expect(called).toMatchObject({ state: 'failed', reason, error: expect.stringMatching(error) });
    expect(calls).toEqual([]);
  });

  it('does not hold up others while it is checked', async () => {
    const slow = agent.call('look_ahead', { id: victim });
    const health = await agent.service.request({ url: '/healthz' });
    expect(health.status).toBe(200);
    expect(await slow).toMatchObject({ state: 'failed' });
    expect(await agent.call('plain', { id: 'x' })).toMatchObject({ state: 'succeeded' });
  });

  it('whose schema is beyond the bounds is left out, and the test of the server says why', async () => {
    const names = (await agent.runtimeInfo('hostile')).tools.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(
      Object.keys(tools)
        .filter((name) => !unusable.includes(name))
        .sort(),
    );
    const { task_id } = await agent.send('POST', '/mcp/servers/hostile/test', {});
    const task = () => agent.send('GET', `/system/tasks/${task_id}`);
    await expect.poll(async () => (await task()).runtime.done, { timeout: 20_000 }).toBe(true);
    const { log } = (await task()).task_context;
    expect(log).toMatch(
      /The tool "doubling": its schema is nested more than 50 deep, with its references followed; it is/,
    );
    expect(log).toMatch(/The tool "deep": its schema is nested more than 50 deep/);
    expect(log).toMatch(/The tool "large": its schema has \d+ bytes, more than 65536/);
    expect(log).toMatch(/The tool "wide": its schema has more than 1000 objects/);
  });
});
