import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything } from '../../src/mcp/testing/everything-server.ts';
import { type FakeMcpServer, startFakeMcp } from '../../src/mcp/testing/fake-mcp-server.ts';
import { type AgentWithServers, startAgentWithServers } from '../factories/agent-with-servers.ts';
import { watchBlocks } from '../factories/longest-block.ts';
import { looksClosely } from '../shared/looks-closely.ts';

/*
 * Servers of the Model Context Protocol that mean harm, and people who may write their records and mean harm.
 */

const patience = { timeout: 30_000 };
const node = process.execPath;
const program = fileURLToPath(new URL('../fakes/hostile-mcp-server.mjs', import.meta.url));
const pythonProgram = fileURLToPath(new URL('../fakes/mcp-server.py', import.meta.url));
const python = pythonPath();
// In a separate folder, because its surroundings can be reached.
const folder = mkdtempSync(join(tmpdir(), 'parley-hostile-'));
const dataDir = join(folder, 'data');
let agent: AgentWithServers;

function pythonPath(): string | null {
  try {
    const path = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { stdio: 'pipe' });
    return path.toString().trim();
  } catch {
    return null;
  }
}

const hostile = { command: node, args: [program], env: { TOKEN: 'a-token-of-its-own' } };

beforeAll(async () => {
  mkdirSync(dataDir, { mode: 0o700 });
  agent = await startAgentWithServers({
    dataDir,
    mcpStdioCommands: [
      { command: `${node} ${program}`, variables: ['TOKEN'] },
      `${node} ${everything.args.join(' ')}`,
      node,
      ...(python === null ? [] : [`${python} ${pythonProgram}`]),
    ],
  });
  await agent.connect('hostile', 'stdio', hostile);
}, 60_000);
afterAll(async () => {
  await agent.stop();
  rmSync(folder, { recursive: true, force: true });
});

const resultOf = async (tool: string, parameters: object = {}) => {
  const { state, result, error } = await agent.call(tool, parameters);
  expect(state, error ?? '').toBe('succeeded');
  return JSON.parse(result ?? '');
};
const uuidOf = async (name: string) => (await agent.send('GET', `/mcp/servers/${name}`)).server.uuid as string;
const isProtected = async () => (await agent.runtimeInfo('hostile')).protection === 'landlock';

describe('a record', () => {
  const library = { OPENSSL_CONF: join(dataDir, 'files/8f/openssl.cnf') };
  const refused = async (extra_args: object, entry: string) => {
    const record = { name: 'evil', enable: true, mode: 'stdio', extra_args };
    for (const url of ['/mcp/servers', '/mcp/servers/_/test']) {
      const { reason, msg, details } = await agent.send('POST', url, record, 403);
      expect(reason).toBe('mcp_command_not_allowed');
      expect(details).toEqual([{ path: 'mcp_stdio_commands', message: entry }]);
      expect(msg).toContain(entry);
    }
  };

  it.each(['OPENSSL_CONF', 'PERLLIB', 'PHPRC', 'ZDOTDIR', 'JAVA_OPTS', 'HTTPS_PROXY', 'SSL_CERT_FILE', 'NODE_OPTIONS'])(
    'cannot have an allowed command run other code by %s',
    async (name) => {
      const entry = `- {command: "${node} ${program}", variables: [TOKEN, ${name}]}`;
      await refused({ ...hostile, env: { ...hostile.env, [name]: '/x' } }, entry);
    },
  );

  it.each(['PATH', 'HOME'])('cannot set %s', async (name) => {
    const record = { name: 'evil', mode: 'stdio', extra_args: { ...hostile, env: { [name]: '/x' } } };
    expect(await agent.send('POST', '/mcp/servers', record, 400)).toMatchObject({ reason: 'invalid_request' });
  });

  it('cannot give arguments to a command that is allowed as one word', async () => {
    await refused({ command: node, args: ['-e', '1'] }, `- "${node} -e 1"`);
    await refused(
      { command: node, args: ['a copy'], env: library },
      `- {command: "${node} 'a copy'", variables: [OPENSSL_CONF]}`,
    );
  });

  it('that was stored when more was allowed is not started, and names the entry to add', async () => {
    const timestamp = new Date().toISOString();
    const stored = { created_at: timestamp, updated_at: timestamp, sealed_secrets: null, known_tools: '[]' };
    const extra_args = JSON.stringify({ command: node, args: ['-e', '1'], env: {} });
    const record = {
      uuid: randomUUID(),
      name: 'former',
      name_key: 'former',
      enable: 1,
      mode: 'stdio' as const,
      extra_args,
      ...stored,
    };
    await agent.service.database
      .insertInto('mcp_servers')
      .values(record as never)
      .execute();
    await agent.send('PUT', '/mcp/servers/former', { name: 'older' });
    await expect
      .poll(() => agent.runtimeInfo('older'), patience)
      .toMatchObject({
        status: 'error',
        error_message: expect.stringContaining(
          `add this entry to mcp_stdio_commands in parley.yaml and restart: - "${node} -e 1"`,
        ),
        protection: null,
      });
    await agent.send('DELETE', '/mcp/servers/older');
  });
});

describe('the process of a server', () => {
  it('has PATH, a HOME of its own and what the operator allows, and nothing of the service', async () => {
    expect(await resultOf('environment')).toEqual({
      PATH: process.env.PATH,
      HOME: join(dataDir, 'mcp', await uuidOf('hostile')),
      // What a tool says of its secrets is hidden from the model.
      TOKEN: '…',
    });
  });

  it('works in its own folder, starts programs, and gains no privileges', async () => {
    const home = join(dataDir, 'mcp', await uuidOf('hostile'));
    expect(await resultOf('live')).toEqual({
      home: 'mine',
      program: home,
      privileges: process.platform === 'linux' ? '1' : undefined,
    });
    expect(readdirSync(join(dataDir, 'mcp'))).toEqual([await uuidOf('hostile')]);
  });

  it.skipIf(process.platform !== 'linux')(
    'cannot reach the files, the memory or the folders of the service',
    async ({ skip }) => {
      // The kernel decides; where it cannot, the API says so.
      if (!(await isProtected())) skip();
      const others = join(dataDir, 'mcp', 'another');
      mkdirSync(others);
      const key = readFileSync(join(dataDir, 'secret.key'));
      const reached = await resultOf('reach', { dataDir, others });
      rmSync(others, { recursive: true });
      expect(Object.keys(reached).length).toBeGreaterThan(20);
      const succeeded = Object.entries(reached).filter(([, outcome]) => String(outcome).startsWith('done'));
      expect(succeeded).toEqual([]);
      expect(readFileSync(join(dataDir, 'secret.key'))).toEqual(key);
      expect(existsSync(join(dataDir, 'new'))).toBe(false);
    },
  );

  it.skipIf(process.platform !== 'linux')('says which protection it has', async () => {
    expect((await agent.runtimeInfo('hostile')).protection).toMatch(/^(landlock|none)$/);
  });

  it('is gone with its folder when its record is deleted', async () => {
    await agent.connect('passing', 'stdio', hostile);
    const home = join(dataDir, 'mcp', await uuidOf('passing'));
    expect(existsSync(home)).toBe(true);
    await agent.send('DELETE', '/mcp/servers/passing');
    expect(existsSync(home)).toBe(false);
  });

  it('of a test leaves no folder behind', async () => {
    const before = readdirSync(join(dataDir, 'mcp'));
    const { task_id } = await agent.send('POST', '/mcp/servers/_/test', { mode: 'stdio', extra_args: hostile });
    const task = () => agent.send('GET', `/system/tasks/${task_id}`);
    await expect.poll(async () => (await task()).runtime.done, patience).toBe(true);
    expect((await task()).runtime.result).toMatchObject({ status: 'connected' });
    expect(readdirSync(join(dataDir, 'mcp'))).toEqual(before);
  });
});

describe('a server that says too much', () => {
  it.runIf(looksClosely)('has a result that is too long refused, with the reason', async () => {
    const { state, reason, error } = await agent.call('huge', { bytes: 20_000_000 });
    expect({ state, reason }).toEqual({ state: 'failed', reason: 'tool_failed' });
    expect(error).toMatch(/the command wrote a message that is too long/);
    await expect.poll(async () => (await agent.runtimeInfo('hostile')).status, patience).toBe('connected');
  });

  it.each(looksClosely ? ['nonsense', 'empty', 'notifications', 'pings'] : ['pings'])(
    'holds nothing up by a flood: %s',
    async (kind) => {
      const name = `flood-${kind}`;
      await agent.connect(name, 'stdio', hostile);
      const [tool] = (await agent.runtimeInfo(name)).tools.filter((one: { name: string }) => one.name === 'flood');
      expect(tool).toBeDefined();
      const watch = watchBlocks();
      await agent.call(`${name}_flood`, { kind });
      const ending = Date.now() + 2000;
      let answered = 0;
      while (Date.now() < ending) {
        expect((await agent.service.request({ url: '/healthz' })).status).toBe(200);
        answered += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      // Tens of turns a second; a flood that is read whole leaves none.
      expect(answered).toBeGreaterThan(10);
      expect(watch.end()).toBeLessThan(1000);
      await agent.send('DELETE', `/mcp/servers/${name}`);
    },
  );

  it.runIf(looksClosely)('is ended when it does not read what it is sent', async () => {
    await agent.connect('deaf', 'stdio', hostile);
    await agent.call('deaf_flood', { kind: 'pings' });
    const ended = async () => (await agent.runtimeInfo('deaf')).error_message ?? '';
    // It is restarted, and reports the error until then.
    const seen: string[] = [];
    await expect
      .poll(async () => seen[seen.push(await ended()) - 1], { timeout: 60_000, interval: 20 })
      .toMatch(/the command does not read its input/);
    await agent.send('DELETE', '/mcp/servers/deaf');
  });
});

describe('a server at an address', () => {
  let internal: FakeMcpServer;
  let server: FakeMcpServer;
  beforeAll(async () => {
    internal = await startFakeMcp({ secret: () => ({ content: [] }) });
    server = await startFakeMcp({ endless: () => ({ content: [] }) });
  });
  afterAll(async () => {
    await server.close();
    await internal.close();
  });

  it('cannot have the service call another one', async () => {
    server.intercept((_, response) => {
      response.writeHead(307, { location: internal.url }).end();
      return true;
    });
    const record = { name: 'redirecting', enable: true, mode: 'http', extra_args: { url: server.url } };
    await agent.send('POST', '/mcp/servers', record);
    await expect
      .poll(() => agent.runtimeInfo('redirecting'), patience)
      .toMatchObject({ status: 'error', error_message: expect.stringMatching(/redirect/i) });
    expect(internal.requests).toEqual([]);
    await agent.send('DELETE', '/mcp/servers/redirecting');
    server.intercept(null);
  });

  it('has a result that is too long refused, with the reason', async () => {
    await agent.connect('endless', 'http', { url: server.url });
    server.intercept((request, response) => {
      if (request.method !== 'POST') return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(20_000_000, ' '));
      return true;
    });
    expect(await agent.call('endless', {})).toMatchObject({
      state: 'failed',
      reason: 'tool_failed',
      error: expect.stringMatching(/answered with more than 16777216 bytes/),
    });
    server.intercept(null);
    await agent.send('DELETE', '/mcp/servers/endless');
  });
});

describe('a server that means well', () => {
  it('starts with Node.js', async () => {
    await agent.connect('everything', 'stdio', { ...everything, env: {}, mode: undefined });
    expect(await agent.call('echo', { message: 'Hello' })).toMatchObject({ state: 'succeeded', result: 'Echo: Hello' });
  });

  it.skipIf(python === null)('starts with Python, and cannot read the key either', async () => {
    await agent.connect('python', 'stdio', { command: python, args: [pythonProgram] });
    const { environment, file } = await resultOf('python_read', { path: join(dataDir, 'secret.key') });
    expect(environment.filter((name: string) => !['LC_CTYPE', '__CF_USER_TEXT_ENCODING'].includes(name))).toEqual([
      'HOME',
      'PATH',
    ]);
    if (await isProtected()) expect(file).toBe('PermissionError');
  });
});
