import { ParleyError, type Tool } from '@parley/sdk';
import { pipelineMessage, silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { now } from '../../lib/clock.ts';
import { SecretBox } from '../../lib/secret-box.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyMcpServerStore } from '../../storage/mcp/kysely-mcp-server-store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { StateChange } from '../events/state-events.ts';
import { ToolCatalog } from '../tools/tool-catalog.ts';
import { fingerprintOf } from './confirmed-tools.ts';
import { McpRuntime } from './mcp-runtime.ts';
import type { McpTool, StoredMcpServer } from './mcp-server.ts';
import { ConnectionLost, type McpSession, type McpSessionOptions } from './mcp-session.ts';
import { McpToolSource } from './mcp-tool-source.ts';

const patience = { timeout: 10_000 };
const { signal } = new AbortController();
const context = { message: pipelineMessage(), signal, progress: () => undefined };
const secrets = new SecretBox(Buffer.alloc(32));
const tool = (name: string, over: Partial<Omit<McpTool, 'fingerprint'>> = {}): McpTool => {
  const fields = { name, description: `Does ${name}`, parameters: { type: 'object' }, read_only_hint: false, ...over };
  return { ...fields, fingerprint: fingerprintOf(fields) };
};

/** A server that does as the test says. */
class FakeServer {
  tools: McpTool[] = [tool('look up')];
  /** Fails every attempt to connect while it is set. */
  fault: Error | null = null;
  call: (name: string, parameters: Record<string, unknown>) => Promise<{ text: string }> = async () => ({
    text: 'done',
  });
  opened: McpSessionOptions[] = [];
  closed = 0;
  lists = 0;

  async open(options: McpSessionOptions): Promise<McpSession> {
    this.opened.push(options);
    if (this.fault !== null) throw this.fault;
    return {
      protection: null,
      tools: async () => {
        this.lists += 1;
        return this.tools;
      },
      call: (name, parameters) => this.call(name, parameters),
      close: async () => {
        this.closed += 1;
      },
    };
  }
}

let storage: Storage;
let store: KyselyMcpServerStore;
let runtime: McpRuntime;
let servers: Map<string, FakeServer>;
let events: StateChange[];
const error = vi.fn();

beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  store = new KyselyMcpServerStore(storage.database, storage.engine);
  servers = new Map();
  events = [];
  error.mockClear();
  runtime = start();
});
afterEach(async () => {
  await runtime.stop();
  await storage.close();
});

/** Of servers, as on the disk. */
const homes = new Set<string>();

function start(timing: object = {}): McpRuntime {
  return new McpRuntime(store, {
    open: (target, options) => {
      const server = target.mode === 'stdio' ? null : servers.get(new URL(target.url).pathname.slice(1));
      return server == null
        ? Promise.reject(new ParleyError('tool_failed', 'connection refused'))
        : server.open(options);
    },
    homes: { list: async () => [...homes], remove: async (name) => void homes.delete(name) },
    secrets,
    allowedCommands: [],
    stateEvents: { publish: (event) => events.push(event) },
    logger: { ...silentLogger, error },
    timing: { firstPause: 10, longestPause: 50, patience: 2000, betweenLists: 5, ...timing },
  });
}

async function add(name: string, over: Partial<StoredMcpServer> = {}): Promise<{ uuid: string; server: FakeServer }> {
  const uuid = newUuid();
  const server = new FakeServer();
  const path = name.replaceAll(/\W/g, '-');
  servers.set(path, server);
  const extra_args = { url: `http://127.0.0.1/${path}` };
  const timestamps = { created_at: now(), updated_at: now() };
  const record = {
    uuid,
    name,
    enable: true,
    mode: 'http' as const,
    extra_args,
    sealed_secrets: null,
    known_tools: [],
    confirmed_tools: {},
  };
  await store.create({ ...record, ...timestamps, ...over }, -1);
  return { uuid, server };
}

const change = (uuid: string, changes: Partial<StoredMcpServer>) =>
  store.update(uuid, (stored) => ({ ...stored, ...changes }));
const status = (uuid: string) => runtime.info(uuid)?.status ?? null;
const connected = (uuid: string) => expect.poll(() => status(uuid), patience).toBe('connected');
async function offered(): Promise<Map<string, Tool>> {
  return new Map(await new ToolCatalog([new McpToolSource(runtime)], silentLogger).tools());
}
const callOf = async (name: string) => (await offered()).get(name)?.call({}, context);

describe('a server that is enabled', () => {
  it('is connected in the background and has its tools', async () => {
    const { uuid } = await add('one');
    const off = await add('off', { enable: false });
    await runtime.refresh();
    await connected(uuid);
    expect(runtime.info(uuid)).toEqual({
      status: 'connected',
      error_message: null,
      error_reason: null,
      error_hint: null,
      protection: null,
      tool_count: 1,
      tools: [{ ...tool('look up'), read_only: 'unconfirmed' }],
    });
    expect(runtime.info(off.uuid)).toBeNull();
    expect(off.server.opened).toEqual([]);
    expect([...(await offered()).keys()]).toEqual(['look_up']);
    expect(await callOf('look_up')).toEqual({ text: 'done' });
    expect(events).toEqual([
      { type: 'mcp-server', data: { uuid, status: 'connecting', tool_count: 0 } },
      { type: 'mcp-server', data: { uuid, status: 'connected', tool_count: 1 } },
    ]);
  });

  it('makes the tools that an admin confirmed read-only immediately, without reconnecting', async () => {
    const { uuid, server } = await add('one');
    await runtime.refresh();
    await connected(uuid);
    const before = (await offered()).get('look_up');
    expect(before?.readOnly).toBe(false);
    await change(uuid, { confirmed_tools: { 'look up': tool('look up').fingerprint } });
    await runtime.apply(uuid);
    expect(runtime.info(uuid)?.tools).toMatchObject([{ read_only: 'confirmed' }]);
    expect(before?.readOnly).toBe(true);
    expect(server.opened).toHaveLength(1);
    server.tools = [tool('look up', { description: 'Does something else' })];
    server.opened[0]?.toolsChanged();
    await expect.poll(() => runtime.info(uuid)?.tools[0]?.read_only, patience).toBe('changed');
    expect((await offered()).get('look_up')?.readOnly).toBe(false);
  });

  it('does not keep the service from starting when it does not answer, and is waited for by the first message', async () => {
    const { server } = await add('slow');
    const gate = Promise.withResolvers<void>();
    const open = server.open.bind(server);
    server.open = async (options) => {
      await gate.promise;
      return open(options);
    };
    await runtime.refresh();
    const offering = offered();
    gate.resolve();
    expect([...(await offering).keys()]).toEqual(['look_up']);
  });

  it('is retried until it connects, and shows the error meanwhile', async () => {
    const { uuid, server } = await add('one');
    server.fault = new ParleyError('tool_failed', 'out of order');
    await runtime.refresh();
    await expect.poll(() => server.opened.length, patience).toBeGreaterThan(3);
    expect(runtime.info(uuid)).toMatchObject({ status: 'error', error_message: 'out of order' });
    expect(error).toHaveBeenCalledOnce();
    server.fault = null;
    await connected(uuid);
    expect(runtime.info(uuid)).toMatchObject({ error_message: null });
  });

  it('hides secrets in errors', async () => {
    const { uuid, server } = await add('one', {
      extra_args: { url: 'http://127.0.0.1/one', headers: { 'x-key': '…' } },
      sealed_secrets: null,
    });
    await change(uuid, { sealed_secrets: secrets.seal('{"x-key":"swordfish"}', `mcp-server/${uuid}`) });
    server.fault = new ParleyError('tool_failed', 'not with swordfish');
    await runtime.refresh();
    await expect.poll(() => status(uuid), patience).toBe('error');
    expect(runtime.info(uuid)?.error_message).toBe('not with …');
    server.fault = null;
    server.call = async () => ({ text: 'the key is swordfish' });
    await connected(uuid);
    expect(await callOf('look_up')).toEqual({ text: 'the key is …' });
  });

  it('is connected again when the connection breaks, its tools staying known', async () => {
    const { uuid, server } = await add('one');
    await runtime.refresh();
    await connected(uuid);
    const first = server.opened[0];
    server.fault = new ParleyError('tool_failed', 'starting up');
    first?.lost(new ParleyError('tool_failed', 'broke'));
    await expect.poll(() => status(uuid), patience).toBe('error');
    expect([...(await offered()).keys()]).toEqual(['look_up']);
    server.fault = null;
    expect(await callOf('look_up')).toEqual({ text: 'done' });
    expect(status(uuid)).toBe('connected');
    expect(server.closed).toBe(1);
  });

  it('repeats a call only when it certainly did not reach the server', async () => {
    const { uuid, server } = await add('one');
    await runtime.refresh();
    await connected(uuid);
    const call = vi.fn(server.call);
    server.call = call.mockRejectedValueOnce(new ConnectionLost('no such session', { mayHaveBeenMade: false }));
    expect(await callOf('look_up')).toEqual({ text: 'done' });
    expect(call).toHaveBeenCalledTimes(2);
    call.mockRejectedValueOnce(new ConnectionLost('it crashed', { mayHaveBeenMade: true }));
    await expect(callOf('look_up')).rejects.toThrow(
      'the connection to the MCP server "one" was lost during the call (it crashed); it is being made again',
    );
    expect(call).toHaveBeenCalledTimes(3);
    expect(await callOf('look_up')).toEqual({ text: 'done' });
    call.mockRejectedValue(new ConnectionLost('never', { mayHaveBeenMade: false }));
    await expect(callOf('look_up')).rejects.toMatchObject({ reason: 'tool_failed' });
    expect(call).toHaveBeenCalledTimes(6);
  });

  it('fails calls while it cannot be connected, in bounded time', async () => {
    await runtime.stop();
    runtime = start({ patience: 50 });
    const { server, uuid } = await add('one', { known_tools: [tool('look up')] });
    server.open = () => new Promise(() => undefined);
    await runtime.refresh();
    await expect(callOf('look_up')).rejects.toThrow('the MCP server "one" is not connected');
    expect(status(uuid)).toBe('connecting');
  });

  it('aborts a call that was cancelled', async () => {
    const { server, uuid } = await add('one', { known_tools: [tool('look up')] });
    server.fault = new ParleyError('tool_failed', 'out of order');
    await runtime.refresh();
    await expect.poll(() => status(uuid), patience).toBe('error');
    const controller = new AbortController();
    const calling = (await offered()).get('look_up')?.call({}, { ...context, signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
  });

  it('may change its tools, however often it says so', async () => {
    const { uuid, server } = await add('one');
    await runtime.refresh();
    await connected(uuid);
    server.tools = [tool('a'), tool('b')];
    for (let times = 0; times < 500; times += 1) server.opened[0]?.toolsChanged();
    await expect.poll(async () => [...(await offered()).keys()], patience).toEqual(['a', 'b']);
    expect(server.lists).toBeLessThan(10);
    await expect.poll(async () => (await store.byUuid(uuid))?.known_tools, patience).toEqual(server.tools);
    expect(events.at(-1)).toEqual({ type: 'mcp-server', data: { uuid, status: 'connected', tool_count: 2 } });
  });

  it('is not tried again when the operator does not allow its command', async () => {
    const { uuid } = await add('one', { mode: 'stdio', extra_args: { command: 'rm' } });
    await runtime.refresh();
    await expect.poll(() => status(uuid), patience).toBe('error');
    expect(runtime.info(uuid)).toMatchObject({
      error_message: expect.stringMatching(/operator/),
      error_reason: 'mcp_command_not_allowed',
    });
  });

  it.each<[string, Partial<StoredMcpServer>, number]>([
    ['has another address', { extra_args: { url: 'http://127.0.0.1/other' } }, 1],
    ['is disabled', { enable: false }, 1],
    ['is unchanged', { updated_at: now() }, 0],
  ])('follows its record when it %s', async (_, changes, closed) => {
    const { uuid, server } = await add('one');
    servers.set('other', new FakeServer());
    await runtime.refresh();
    await connected(uuid);
    await change(uuid, changes);
    await runtime.apply(uuid);
    expect(server.closed).toBe(closed);
    if (changes.enable === false) expect(runtime.info(uuid)).toBeNull();
    else await connected(uuid);
  });

  it('has no connection after the runtime stopped, and gets none', async () => {
    const { uuid, server } = await add('one');
    await runtime.refresh();
    await connected(uuid);
    await runtime.stop();
    expect(server.closed).toBe(1);
    await runtime.apply(uuid);
    expect(server.opened).toHaveLength(1);
  });

  it('is one connection, however often its record is reconciled', async () => {
    const { uuid, server } = await add('one');
    await Promise.all(Array.from({ length: 20 }, () => runtime.apply(uuid)));
    await connected(uuid);
    expect(server.opened).toHaveLength(1);
    await store.delete(uuid, now());
    await Promise.all(Array.from({ length: 20 }, () => runtime.apply(uuid)));
    expect(server.closed).toBe(1);
    expect(events.at(-1)).toEqual({ type: 'mcp-server', data: { uuid, status: 'disabled', tool_count: 0 } });
  });
});

describe('what other replicas changed', () => {
  it('is applied to the servers whose records differ, and to no other', async () => {
    const [kept, changed, removed] = [await add('kept'), await add('changed'), await add('removed')];
    await runtime.refresh();
    for (const { uuid } of [kept, changed, removed]) await connected(uuid);
    for (const { uuid } of [kept, removed]) homes.add(uuid);
    await store.saveTools(kept.uuid, [{ name: 'other', description: '', parameters: {} }] as never);
    await store.update(changed.uuid, (stored) => ({ ...stored, enable: false, updated_at: now() }));
    await store.delete(removed.uuid, now());
    const added = await add('added');
    await runtime.refresh();
    await connected(added.uuid);
    expect([kept, changed, removed].map(({ server }) => [server.opened.length, server.closed])).toEqual([
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
    // The folder of the process of one that was deleted, also while it was disabled.
    expect([...homes]).toEqual([kept.uuid]);
  });
});

describe('the names of tools', () => {
  it('are those of the servers, in letters that models take, the older server first', async () => {
    const one = await add('First one');
    const two = await add('Second/two');
    one.server.tools = [tool('search'), tool('查询'), tool('with space'), tool('x'.repeat(100))];
    two.server.tools = [tool('search'), tool('only.mine'), tool('search')];
    await runtime.refresh();
    await connected(one.uuid);
    await connected(two.uuid);
    const names = [
      'search',
      '_',
      'with_space',
      'x'.repeat(64),
      'Second_two_search',
      'only_mine',
      'Second_two_search_2',
    ];
    expect([...(await offered()).keys()]).toEqual(names);
    expect((await offered()).get('Second_two_search')?.extension).toBe(`mcp-server/${two.uuid}`);
  });

  it('stay the same when the service starts again and the older server is down', async () => {
    const one = await add('one');
    const two = await add('two');
    await runtime.refresh();
    await connected(one.uuid);
    await connected(two.uuid);
    await expect.poll(async () => (await store.byUuid(one.uuid))?.known_tools.length, patience).toBe(1);
    await runtime.stop();
    one.server.fault = new ParleyError('tool_failed', 'down');
    runtime = start();
    await runtime.refresh();
    await connected(two.uuid);
    const tools = await offered();
    expect([...tools.keys()]).toEqual(['look_up', 'two_look_up']);
    expect(await tools.get('two_look_up')?.call({}, context)).toEqual({ text: 'done' });
  });
});
