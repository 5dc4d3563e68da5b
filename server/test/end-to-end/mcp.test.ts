import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EverythingServer, everything, startEverything } from '../../src/mcp/testing/everything-server.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const patience = { timeout: 20_000 };
const fake = createFakePlatform({ elements: ['Plain', 'Image'] });

/** The processes that this one started and that still run, by the program that the test has started. */
async function childrenOf(word: string): Promise<number[]> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null && Number(row[2]) === process.pid && row[3]?.includes(word))
    .map((row) => Number(row?.[1]));
}

describe('a bot whose model calls tools of MCP servers', () => {
  let service: TestService;
  let model: FakeOpenAi;
  let pipeline: string;
  let remote: EverythingServer;

  const send = async (method: string, url: string, json?: object, expected = 200) => {
    const request = { method, url: `/api/v1${url}`, bearer: service.account.token };
    const { status, text, body } = await service.request(json === undefined ? request : { ...request, json });
    expect(status, text).toBe(expected);
    return body.data;
  };
  /** Makes the model call a tool once. @returns the message when it is finished */
  const ask = async (tool: string, parameters: object) => {
    const before = model.requests.length;
    model.behave((index) =>
      index === before
        ? { kind: 'tool_calls', calls: [{ name: tool, arguments: parameters }] }
        : { kind: 'answer', chunks: ['Done.'] },
    );
    const event = messageEvent('', { message_chain: [{ type: 'Plain', text: 'Go' }] });
    const uuid = (await fake.adapters.at(-1)?.context.receive(event))?.uuid ?? '';
    const finishedAt = async () => (await send('GET', `/messages/${uuid}`)).message.finished_at;
    await expect.poll(finishedAt, patience).not.toBeNull();
    return (await send('GET', `/messages/${uuid}/explain`)).tool_calls;
  };
  /** Binds the pipeline to all servers, whose tools run for everyone. */
  const bindAll = async () => {
    const { servers } = await send('GET', '/mcp/servers');
    const everyone = { allow: 'everyone', users: [] };
    const mcp_tool_users = Object.fromEntries(servers.map(({ uuid }: { uuid: string }) => [uuid, everyone]));
    await send('PUT', `/pipelines/${pipeline}/extensions`, { enable_all_mcp_servers: true, mcp_tool_users });
  };
  const runtimeInfo = async (name: string) => (await send('GET', `/mcp/servers/${name}`)).server.runtime_info;
  const offered = () =>
    ((model.requests.at(-1)?.body?.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);

  beforeAll(async () => {
    model = await startFakeOpenAi();
    remote = await startEverything('http');
    service = await startTestService({
      extensions: { platforms: [fake.platform] },
      config: {
        shutdownTimeoutSeconds: 1,
        mcpStdioCommands: [{ command: `${everything.command} *`, variables: ['PARLEY_TEST', 'TOKEN'] }],
      },
    });
    [{ uuid: pipeline }] = (await send('GET', '/pipelines')).pipelines;
    const provider = {
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-0123456789abcdef'],
    };
    const { uuid } = await send('POST', '/provider/models/llm', { name: 'Large', provider, abilities: ['func_call'] });
    const { config } = (await send('GET', `/pipelines/${pipeline}`)).pipeline;
    config.ai['local-agent'] = { ...config.ai['local-agent'], model: { primary: uuid, fallbacks: [] }, tools: ['*'] };
    await send('PUT', `/pipelines/${pipeline}`, { config });
    const bot = { name: 'Bot', adapter: 'fake', adapter_config: {}, enable: true, use_pipeline_uuid: pipeline };
    await send('POST', '/platform/bots', bot);
    const { command, args } = everything;
    const local = { mode: 'stdio', extra_args: { command, args, env: { PARLEY_TEST: 'here' } } };
    await send('POST', '/mcp/servers', { name: 'local', enable: true, ...local });
    await send('POST', '/mcp/servers', {
      name: 'far away',
      enable: true,
      mode: 'http',
      extra_args: { url: remote.url },
    });
    await bindAll();
    await vi.waitFor(() => expect(fake.up()).toHaveLength(1), patience);
    for (const name of ['local', 'far%20away']) {
      await vi.waitFor(async () => expect((await runtimeInfo(name)).status).toBe('connected'), patience);
    }
  });
  afterAll(async () => {
    await remote?.kill();
    await service?.stop();
    await model?.close();
    expect(await childrenOf('stdio')).toEqual([]);
  });

  it('gets texts and pictures, and the person gets the pictures', async () => {
    expect(await ask('echo', { message: 'Hello' })).toMatchObject([
      { tool_name: 'echo', state: 'succeeded', result: 'Echo: Hello' },
    ]);
    expect(offered()).toEqual(expect.arrayContaining(['echo', 'far_away_echo', 'get-sum', 'far_away_get-sum']));
    const [call] = await ask('far_away_get-tiny-image', {});
    expect(call).toMatchObject({ state: 'succeeded', result: expect.stringContaining('is attached to the answer') });
    expect(fake.sent.at(-1)?.message_chain).toMatchObject([{ type: 'Plain', text: 'Done.' }, { type: 'Image' }]);
  });

  it('goes on after the process of a server was killed between two messages', async () => {
    const [pid] = await childrenOf('stdio');
    process.kill(pid as number, 'SIGKILL');
    expect(await ask('echo', { message: 'again' })).toMatchObject([{ state: 'succeeded', result: 'Echo: again' }]);
    expect(await childrenOf('stdio')).not.toContain(pid);
  });

  it('reports a server that dies during a call, and the next call works', async () => {
    const asking = ask('trigger-long-running-operation', { duration: 60, steps: 60 });
    const running = () =>
      service.database.selectFrom('tool_calls').selectAll().where('state', '=', 'running').execute();
    await expect.poll(async () => (await running()).length, patience).toBe(1);
    await expect.poll(async () => (await runtimeInfo('local')).status, patience).toBe('connected');
    // A call that had not been written when the process ended was certainly not made, so it is repeated, perhaps
    // several times; on a slow machine, until there is no server for it.
    let calls: { state: string }[] | null = null;
    void asking.then((all) => {
      calls = all;
    });
    const killed = async () => {
      for (const pid of await childrenOf('stdio')) process.kill(pid, 'SIGKILL');
      return calls;
    };
    await expect.poll(killed, { ...patience, interval: 500 }).not.toBeNull();
    const [call] = await asking;
    expect(call).toMatchObject({
      state: 'failed',
      reason: 'tool_failed',
      error: expect.stringMatching(/"local" (was lost|is not connected)/),
    });
    expect(JSON.stringify(model.requests.at(-1)?.body)).toMatch(/ended by SIGKILL/);
    expect(await ask('get-sum', { a: 1, b: 2 })).toMatchObject([{ state: 'succeeded' }]);
  });

  it('reconnects after a remote server was restarted', async () => {
    await remote.kill();
    remote = await startEverything('http', remote.port);
    expect(await ask('far_away_echo', { message: 'still' })).toMatchObject([{ result: 'Echo: still' }]);
  });

  it('may use only the servers that its pipeline is bound to, whatever it was told of before', async () => {
    const { servers } = await send('GET', '/mcp/servers');
    const uuids = Object.fromEntries(servers.map(({ name, uuid }: { name: string; uuid: string }) => [name, uuid]));
    const extensions = `/pipelines/${pipeline}/extensions`;
    // Omitted `mcp_tool_users` are unchanged.
    await send('PUT', extensions, { enable_all_mcp_servers: false, bound_mcp_servers: [uuids['far away']] });
    expect(await ask('echo', { message: 'no' })).toMatchObject([{ state: 'failed', reason: 'tool_not_allowed' }]);
    expect(offered()).toContain('far_away_echo');
    expect(offered()).not.toContain('echo');
    expect(await ask('far_away_echo', { message: 'yes' })).toMatchObject([{ state: 'succeeded' }]);
    expect((await send('GET', extensions)).available_mcp_servers).toEqual((await send('GET', '/mcp/servers')).servers);

    await send('DELETE', '/mcp/servers/far%20away');
    expect(await send('GET', extensions)).toMatchObject({ enable_all_mcp_servers: false, bound_mcp_servers: [] });
    // A model that is offered nothing is not listened to when it calls something.
    expect(await ask('far_away_echo', { message: 'gone' })).toEqual([]);
    expect(offered()).toEqual([]);
    await bindAll();
  });

  it('hides what a server was given from what its tools say', async () => {
    const secret = 'a-secret-of-the-environment';
    const { extra_args } = (await send('GET', '/mcp/servers/local')).server;
    await send('PUT', '/mcp/servers/local', { extra_args: { ...extra_args, env: { TOKEN: secret } } });
    await expect.poll(async () => (await runtimeInfo('local')).status, patience).toBe('connected');
    const [{ result }] = await ask('get-env', {});
    expect(JSON.parse(result)).toEqual({ PATH: expect.any(String), HOME: expect.any(String), TOKEN: '…' });
  });

  it('tests a server and leaves nothing behind', async () => {
    const before = await childrenOf('stdio');
    const { task_id } = await send('POST', '/mcp/servers/local/test', {});
    const task = async () => send('GET', `/system/tasks/${task_id}`);
    await expect.poll(async () => (await task()).runtime.done, patience).toBe(true);
    expect(await task()).toMatchObject({
      kind: 'mcp-operation',
      name: 'mcp-test-local',
      runtime: { state: 'FINISHED', exception: null, result: { status: 'connected', tool_count: expect.any(Number) } },
    });
    expect((await task()).runtime.result.tools[0]).toMatchObject({ name: 'echo', parameters: { type: 'object' } });
    expect(await childrenOf('stdio')).toEqual(before);
  });
});
