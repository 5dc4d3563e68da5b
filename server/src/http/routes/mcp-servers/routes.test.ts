import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountCalls } from '../../../../test/factories/account-calls.ts';
import { startTestService, type TestService } from '../../../../test/factories/start-test-service.ts';
import { type FakeMcpServer, startFakeMcp } from '../../../mcp/testing/fake-mcp-server.ts';

const base = '/api/v1/mcp/servers';
const patience = { timeout: 15_000 };
const secret = 'token-0123456789abcdef';
const command = { command: process.execPath, args: ['--version'] };

let service: TestService;
let fake: FakeMcpServer;
beforeAll(async () => {
  fake = await startFakeMcp({ look_up: () => ({ content: [] }) });
  service = await startTestService({
    config: { mcpStdioCommands: [{ command: `${process.execPath} --version`, variables: ['KEY'] }], maxExtensions: 5 },
  });
});
afterAll(async () => {
  await service.stop();
  await fake.close();
});
afterEach(async () => {
  for (const { uuid } of (await ok('GET', base)).servers) await ok('DELETE', `${base}/${uuid}`);
});

const { ok, refused } = accountCalls(() => service);
const at = (name: string) => `${base}/${encodeURIComponent(name)}`;
const read = async (name: string) => (await ok('GET', at(name))).server;
const remote = (over: object = {}) => ({
  name: 'far',
  mode: 'http',
  extra_args: { url: fake.url, headers: { Authorization: secret } },
  ...over,
});
const ended = async (id: number) => {
  const task = () => ok('GET', `/api/v1/system/tasks/${id}`);
  await expect.poll(async () => (await task()).runtime.done, patience).toBe(true);
  return task();
};

describe('a server', () => {
  it('is made, read, listed, changed and deleted', async () => {
    const { uuid } = await ok('POST', base, remote());
    const made = await read('far');
    expect(made).toEqual({
      uuid,
      name: 'far',
      enable: false,
      mode: 'http',
      extra_args: { url: fake.url, headers: { Authorization: 'tok…cdef' }, timeout: 10 },
      runtime_info: null,
      confirmed_tools: {},
      created_at: expect.stringMatching(/Z$/),
      updated_at: made.created_at,
    });
    expect((await ok('GET', base)).servers).toEqual([made]);
    expect(await read(uuid)).toEqual(made);
    expect(await read('FAR')).toEqual(made);
    expect(await ok('PUT', at('far'), { name: 'farther' })).toEqual({});
    expect(await refused('GET', at('far'))).toEqual([404, 'not_found', undefined]);
    expect(await read('farther')).toEqual({ ...made, name: 'farther', updated_at: expect.any(String) });
    expect(await ok('DELETE', at('farther'))).toEqual({});
    expect(await refused('DELETE', at('farther'))).toEqual([404, 'not_found', undefined]);
    expect(await refused('PUT', at(uuid), {})).toEqual([404, 'not_found', undefined]);
    expect(await refused('POST', `${at(uuid)}/test`, {})).toEqual([404, 'not_found', undefined]);
  });

  it('may have a name of any letters, and is found by it', async () => {
    const longest = 'x'.repeat(255);
    for (const name of ['a/b', 'ä 履歴書', '100%', 'a?b#c', longest]) {
      const { uuid } = await ok('POST', base, remote({ name }));
      expect((await read(name)).uuid).toBe(uuid);
      await ok('PUT', at(name), { enable: false });
      await ok('DELETE', at(name));
    }
  });

  it('is connected while it is enabled, and tells how that goes', async () => {
    await ok('POST', base, remote({ enable: true }));
    await expect
      .poll(async () => (await read('far')).runtime_info, patience)
      .toEqual({
        status: 'connected',
        error_message: null,
        error_reason: null,
        error_hint: null,
        protection: null,
        tool_count: 1,
        tools: [
          {
            name: 'look_up',
            description: '',
            parameters: { type: 'object' },
            read_only_hint: false,
            read_only: 'unconfirmed',
            fingerprint: expect.any(String),
          },
        ],
      });
    expect(fake.requests.at(-1)?.authorization).toBe(secret);
    await ok('PUT', at('far'), { name: 'still' });
    expect((await read('still')).enable).toBe(true);
    await ok('PUT', at('still'), { enable: false });
    expect((await read('still')).runtime_info).toBeNull();
    await expect.poll(() => fake.sessions()).toBe(0);
    await ok('PUT', at('still'), { enable: true, extra_args: { url: 'http://127.0.0.1:1/' } });
    await expect.poll(async () => (await read('still')).runtime_info.status, patience).toBe('error');
    expect((await read('still')).runtime_info.error_message).not.toBe('');
  });

  it('keeps which of its tools an admin confirmed to be read-only, while it stays the same server', async () => {
    await ok('POST', base, remote({ enable: true }));
    const url = `${at('far')}/read-only-tools`;
    const shown = async () => (await read('far')).runtime_info.tools[0];
    await expect.poll(async () => (await read('far')).runtime_info.status, patience).toBe('connected');
    const { name, fingerprint } = await shown();
    const confirmation = { name, fingerprint, read_only: true };
    for (const [tools, path] of [
      [[], 'tools'],
      [[{ name, read_only: true }], 'tools[0].fingerprint'],
      [[{ ...confirmation, name: 'unknown' }], 'tools[0].name'],
      [[{ ...confirmation, read_only: 'yes' }], 'tools[0].read_only'],
      [[{ ...confirmation, more: 1 }], 'tools[0].more'],
    ] as const) {
      expect(await refused('PUT', url, { tools })).toEqual([400, 'invalid_request', path]);
    }
    expect(await refused('PUT', url, { tools: [{ ...confirmation, fingerprint: 'x' }] })).toEqual([
      ...[409, 'conflict', 'tools[0].fingerprint'],
    ]);
    expect((await shown()).read_only).toBe('unconfirmed');
    expect(await ok('PUT', url, { tools: [confirmation] })).toEqual({});
    expect((await shown()).read_only).toBe('confirmed');
    const server = await read('far');
    expect(server.confirmed_tools).toEqual({ look_up: fingerprint });
    // Another header is no other server, and what was read goes back.
    await ok('PUT', at('far'), { ...server, confirmed_tools: {} });
    await ok('PUT', at('far'), { extra_args: { url: fake.url, headers: {} } });
    expect((await read('far')).confirmed_tools).toEqual({ look_up: fingerprint });
    await ok('PUT', url, { tools: [{ name, read_only: false }] });
    expect((await read('far')).confirmed_tools).toEqual({});
    await expect.poll(async () => (await read('far')).runtime_info.status, patience).toBe('connected');
    await ok('PUT', url, { tools: [confirmation] });
    await ok('PUT', at('far'), { extra_args: { url: 'http://127.0.0.1:1/' } });
    expect((await read('far')).confirmed_tools).toEqual({});
    await ok('PUT', at('far'), { enable: false });
    expect(await refused('PUT', url, { tools: [confirmation] })).toEqual([400, 'invalid_request', 'tools[0].name']);
    expect(await refused('PUT', `${at('_')}/read-only-tools`, { tools: [confirmation] })).toEqual([
      ...[404, 'not_found', undefined],
    ]);
  });

  it('can be written back as it was read, secrets included', async () => {
    await ok('POST', base, remote({ enable: true }));
    await expect.poll(async () => (await read('far')).runtime_info.status, patience).toBe('connected');
    const before = await read('far');
    await ok('PUT', at('far'), before);
    expect(await read('far')).toEqual({ ...before, updated_at: expect.any(String) });
    const { task_id } = await ok('POST', `${at('far')}/test`, before);
    expect((await ended(task_id)).runtime).toMatchObject({ exception: null });
    expect(fake.requests.at(-1)?.authorization).toBe(secret);
  });

  it('keeps its secrets sealed', async () => {
    await ok('POST', base, remote());
    const [row] = await service.database.selectFrom('mcp_servers').selectAll().execute();
    expect(JSON.stringify(row)).not.toContain(secret);
    const entries = await service.database.selectFrom('audit_entries').selectAll().execute();
    expect(JSON.stringify(entries)).not.toMatch(/token-01|tok…/);
    expect(entries.at(-1)).toMatchObject({ action: 'mcp-server.create' });
  });

  it('leaves its changes in the audit log, under its uuid', async () => {
    const { uuid } = await ok('POST', base, remote({ name: 'Capital' }));
    await ok('PUT', at('Capital'), { name: 'Other' });
    await ok('DELETE', at('Other'));
    const entries = await service.database
      .selectFrom('audit_entries')
      .selectAll()
      .where('record_id', '=', uuid)
      .execute();
    expect(entries.map(({ action, changed }) => [action, changed])).toEqual([
      ['mcp-server.create', '[]'],
      ['mcp-server.update', '["name"]'],
      ['mcp-server.delete', '[]'],
    ]);
    expect(entries[2]?.before).toContain('Other');
  });

  it('has a name of its own', async () => {
    const { uuid } = await ok('POST', base, remote());
    expect(await refused('POST', base, remote({ name: 'Far' }))).toEqual([409, 'conflict', 'name']);
    await ok('POST', base, remote({ name: 'near' }));
    expect(await refused('PUT', at('near'), { name: 'far' })).toEqual([409, 'conflict', 'name']);
    for (const name of ['_', uuid, ' a', 'a ', 'a\nb', 'a\0b']) {
      expect(await refused('POST', base, remote({ name })), name).toEqual([400, 'invalid_request', 'name']);
    }
    await ok('PUT', at('far'), { name: 'FAR' });
  });

  it('is one of no more than there may be', async () => {
    for (let number = 0; number < 5; number += 1) await ok('POST', base, remote({ name: `n${number}` }));
    expect(await refused('POST', base, remote({ name: 'more' }))).toEqual([409, 'limit_reached', undefined]);
  });

  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(256) }, 'name'],
    ['no mode', { mode: undefined }, 'mode'],
    ['another mode', { mode: 'carrier pigeon' }, 'mode'],
    ['an unknown field', { status: 'connected' }, 'status'],
    ['no address', { extra_args: {} }, 'extra_args.url'],
    ['nothing to say how', { extra_args: undefined }, 'extra_args.url'],
    ['another scheme', { extra_args: { url: 'file:///etc/passwd' } }, 'extra_args.url'],
    ['a password in the address', { extra_args: { url: 'http://a:b@127.0.0.1/' } }, 'extra_args.url'],
    ['an unknown argument', { extra_args: { url: 'http://127.0.0.1/', command: 'x' } }, 'extra_args.command'],
    ['no time', { extra_args: { url: 'http://127.0.0.1/', timeout: 0 } }, 'extra_args.timeout'],
    ['a header that is none', { extra_args: { url: 'http://a/', headers: { 'a b': 'c' } } }, 'extra_args.headers.a b'],
    ['a header with a line', { extra_args: { url: 'http://a/', headers: { a: 'b\r\nc: d' } } }, 'extra_args.headers.a'],
    ['a header that is taken', { extra_args: { url: 'http://a/', headers: { Host: 'b' } } }, 'extra_args.headers.Host'],
    ['no command', { mode: 'stdio', extra_args: {} }, 'extra_args.command'],
    ['another PATH', { mode: 'stdio', extra_args: { ...command, env: { PATH: '/x' } } }, 'extra_args.env.PATH'],
    ['a null character', { mode: 'stdio', extra_args: { command: 'a\0b' } }, 'extra_args.command'],
  ])('is not made with %s', async (_, over, path) => {
    const [status, reason, where] = await refused('POST', base, remote(over));
    expect([status, reason, where]).toEqual([400, 'invalid_request', path]);
  });

  it('starts only commands that the operator allows', async () => {
    const allowed = { name: 'local', mode: 'stdio', extra_args: command };
    const other = { ...allowed, extra_args: { ...command, args: ['-e', 'process.exit()'] } };
    const refusal = [403, 'mcp_command_not_allowed', 'mcp_stdio_commands'];
    expect(await refused('POST', base, other)).toEqual(refusal);
    expect(await refused('POST', `${at('_')}/test`, other)).toEqual(refusal);
    await ok('POST', base, allowed);
    expect(await refused('PUT', at('local'), { extra_args: other.extra_args })).toEqual(refusal);
    expect((await read('local')).extra_args).toEqual({ ...command, env: {} });
    const env = { OPENSSL_CONF: '/srv/openssl.cnf' };
    expect(await refused('PUT', at('local'), { extra_args: { ...command, env } })).toEqual(refusal);
    await ok('PUT', at('local'), { extra_args: { ...command, env: { KEY: 'value' } } });
    await ok('POST', base, remote());
    expect(await refused('PUT', at('far'), { mode: 'stdio', extra_args: other.extra_args })).toEqual(refusal);
  });
});

describe('a masked secret', () => {
  const masked = 'tok…cdef';

  it('stays while it goes to the same place', async () => {
    await ok('POST', base, remote());
    const url = `${fake.url}?more=1`;
    await ok('PUT', at('far'), {
      extra_args: { url, headers: { Authorization: masked, 'x-new': 'new' } },
      enable: true,
    });
    await expect.poll(async () => (await read('far')).runtime_info.status, patience).toBe('connected');
    expect(fake.requests.at(-1)).toMatchObject({ authorization: secret, 'x-new': 'new' });
    await ok('PUT', at('far'), { extra_args: { url } });
    expect((await read('far')).extra_args.headers).toEqual({});
    expect((await service.database.selectFrom('mcp_servers').selectAll().execute())[0]?.sealed_secrets).toBeNull();
  });

  it.each<[string, object]>([
    ['another port', { extra_args: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: masked } } }],
    ['another host', { extra_args: { url: 'http://evil.example/mcp', headers: { Authorization: masked } } }],
    ['another header', { extra_args: { url: '', headers: { 'x-other': masked } } }],
    ['another mode', { mode: 'sse', extra_args: { url: '', headers: { Authorization: masked } } }],
    ['a mask of something else', { extra_args: { url: '', headers: { Authorization: 'abc…wxyz' } } }],
  ])('does not go to %s', async (_, change) => {
    await ok('POST', base, remote());
    const changes = structuredClone(change) as { extra_args: { url: string } };
    changes.extra_args.url ||= fake.url;
    expect((await refused('PUT', at('far'), changes)).slice(0, 2)).toEqual([400, 'secret_required']);
    const test = { name: 'far', mode: 'http', enable: true, ...changes };
    expect((await refused('POST', `${at('_')}/test`, test)).slice(0, 2)).toEqual([400, 'secret_required']);
  });

  it('does not go to another command, and is not made up', async () => {
    await ok('POST', base, { name: 'local', mode: 'stdio', extra_args: { ...command, env: { KEY: secret } } });
    const extra_args = { command: process.execPath, args: ['-v'], env: { KEY: masked } };
    expect((await refused('PUT', at('local'), { extra_args })).slice(0, 2)).toEqual([400, 'secret_required']);
    expect(
      (await refused('POST', base, remote({ extra_args: { url: fake.url, headers: { a: masked } } }))).slice(0, 2),
    ).toEqual([400, 'secret_required']);
  });
});

describe('a test', () => {
  const tools = [{ name: 'look_up', description: '', parameters: { type: 'object' } }];

  it('of a stored server lists its tools and leaves no connection, whether it is enabled or not', async () => {
    await ok('POST', base, remote());
    const { task_id } = await ok('POST', `${at('far')}/test`, {});
    expect(task_id).toBeGreaterThan(0);
    const task = await ended(task_id);
    expect(task).toMatchObject({ task_type: 'user', kind: 'mcp-operation', name: 'mcp-test-far' });
    expect(task.runtime).toMatchObject({ exception: null, result: { status: 'connected', tool_count: 1, tools } });
    expect(fake.sessions()).toBe(0);
    expect((await read('far')).runtime_info).toBeNull();
  });

  it('of a configuration that is not stored takes it from the request', async () => {
    const { task_id } = await ok('POST', `${at('_')}/test`, { ...remote(), enable: true });
    expect((await ended(task_id)).runtime.result).toMatchObject({ tools });
    expect(fake.sessions()).toBe(0);
    expect((await ok('GET', base)).servers).toEqual([]);
    expect(await refused('POST', `${at('_')}/test`, {})).toEqual([400, 'invalid_request', 'mode']);
    expect(await refused('POST', `${at('_')}/test`, { mode: 'http' })).toEqual([
      400,
      'invalid_request',
      'extra_args.url',
    ]);
    expect((await refused('POST', `${at('_')}/test`, { ...remote(), odd: 1 }))[0]).toBe(400);
  });

  it('of a form that was filled from a stored server uses its secrets', async () => {
    await ok('POST', base, remote());
    const { name, mode, extra_args } = await read('far');
    const { task_id } = await ok('POST', `${at('_')}/test`, { name, mode, extra_args, enable: false });
    expect((await ended(task_id)).runtime.exception).toBeNull();
    expect(fake.requests.at(-1)?.authorization).toBe(secret);
  });

  it.each<[string, object, RegExp]>([
    ['is not there', { mode: 'http', extra_args: { url: 'http://127.0.0.1:1/mcp' } }, /./],
    ['may not be reached', { mode: 'sse', extra_args: { url: 'http://169.254.169.254/' } }, /not an address/],
    ['does not speak the protocol', { mode: 'stdio', extra_args: command }, /ended with code 0/],
  ])('fails with what is wrong when the server %s', async (_, configuration, message) => {
    const { task_id } = await ok('POST', `${at('_')}/test`, { name: 't', enable: true, ...configuration });
    const { runtime } = await ended(task_id);
    expect(runtime).toMatchObject({ state: 'FINISHED', result: null, exception: expect.stringMatching(message) });
  });
});

it('is for those who may: reading with a key that reads, writing with one that administers', async () => {
  const [reader, writer, admin] = await Promise.all(
    (['read', 'write', 'admin'] as const).map((scope) => service.createApiKey([scope])),
  );
  const status = async (apiKey: string | undefined, method: string) =>
    (
      await service.request({
        method,
        url: base,
        ...(apiKey && { apiKey }),
        ...(method === 'POST' && { json: remote() }),
      })
    ).status;
  expect(await Promise.all([undefined, reader?.key].map((key) => status(key, 'GET')))).toEqual([401, 200]);
  expect(await Promise.all([undefined, reader?.key, writer?.key].map((key) => status(key, 'POST')))).toEqual([
    401, 403, 403,
  ]);
  expect(await status(admin?.key, 'POST')).toBe(200);
});
