import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { McpTarget } from '../core/mcp/mcp-server.ts';
import type { McpSession } from '../core/mcp/mcp-session.ts';
import { createGuardedFetch } from '../kit/guarded-fetch.ts';
import { McpHomes } from './mcp-homes.ts';
import { createOpenSession } from './open-session.ts';
import { everything, startEverything } from './testing/everything-server.ts';
import { type FakeCall, type FakeMcpServer, startFakeMcp } from './testing/fake-mcp-server.ts';

const patience = { timeout: 15_000 };
const { signal } = new AbortController();
const dataDir = mkdtempSync(join(tmpdir(), 'parley-mcp-'));
const homes = new McpHomes(dataDir);
const open = createOpenSession(createGuardedFetch({ policy: 'saved' }), homes, { graceMs: 300 });
const lost = vi.fn();
const toolsChanged = vi.fn();
const said: string[] = [];
const leftOut: string[] = [];
const sessions: McpSession[] = [];
const cleanUp: (() => Promise<void>)[] = [];

beforeEach(() => {
  lost.mockClear();
  toolsChanged.mockClear();
  said.length = 0;
  leftOut.length = 0;
});
afterAll(() => rmSync(dataDir, { recursive: true }));
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  for (const clean of cleanUp.splice(0)) await clean();
});

async function connect(target: McpTarget, ending: AbortSignal = signal): Promise<McpSession> {
  const session = await open(target, {
    signal: ending,
    home: 'test',
    lost,
    toolsChanged,
    leftOut: (tool) => leftOut.push(tool),
    said: (line) => said.push(line),
  });
  sessions.push(session);
  return session;
}
async function fakeServer(calls?: Record<string, FakeCall>): Promise<FakeMcpServer> {
  const server = await startFakeMcp(calls);
  cleanUp.push(() => server.close());
  return server;
}
const http = (url: string, headers: Record<string, string> = {}): McpTarget => ({
  mode: 'http',
  url,
  headers,
  timeout: 10,
});
const call = (session: McpSession, name: string, parameters = {}, context = {}) =>
  session.call(name, parameters, { signal, progress: () => undefined, ...context });

describe.each(['stdio', 'http', 'sse'] as const)('the server that has everything, over %s', (mode) => {
  const connected = async () => {
    if (mode === 'stdio') return connect(everything);
    const server = await startEverything(mode);
    cleanUp.push(() => server.kill());
    const target = { url: server.url, headers: {}, timeout: 10 };
    return connect(mode === 'http' ? { mode, ...target } : { mode, ...target, ssereadtimeout: 30 });
  };

  it('has tools, texts, pictures, resources, structured answers and refusals', async () => {
    const session = await connected();
    const tools = await session.tools(signal);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-tiny-image', 'get-sum']));
    expect(tools.find(({ name }) => name === 'echo')).toMatchObject({
      description: expect.stringContaining('Echo'),
      parameters: { type: 'object', properties: { message: { type: 'string' } } },
    });
    expect(await call(session, 'echo', { message: 'Grüße' })).toEqual({ text: 'Echo: Grüße', attachments: [] });
    expect(await call(session, 'get-tiny-image')).toMatchObject({
      text: expect.stringContaining('[An image (image/png) is attached to the answer]'),
      attachments: [{ type: 'Image', base64: expect.stringMatching(/^data:image\/png;base64,iVBOR/) }],
    });
    expect((await call(session, 'get-resource-reference', { resourceType: 'Text', resourceId: 1 })).text).toMatch(
      /\[Resource demo:\/\/resource\/dynamic\/text\/1\]\nResource 1: This is a plaintext/,
    );
    expect((await call(session, 'get-resource-links', { count: 2 })).text).toContain('demo://resource/dynamic/');
    expect((await call(session, 'get-structured-content', { location: 'New York' })).text).toMatch(/"temperature":/);
    await expect(call(session, 'echo')).rejects.toMatchObject({
      reason: 'tool_failed',
      message: expect.stringContaining('Invalid arguments'),
    });
    expect(lost).not.toHaveBeenCalled();
  });

  it('reports progress and stops when it is cancelled', async () => {
    const session = await connected();
    const progress = vi.fn();
    const controller = new AbortController();
    const calling = call(
      session,
      'trigger-long-running-operation',
      { duration: 60, steps: 600 },
      { progress, signal: controller.signal },
    );
    calling.catch(() => undefined);
    await expect.poll(() => progress.mock.calls.length, patience).toBeGreaterThan(2);
    const reason = new Error('not wanted any more');
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    expect((await call(session, 'echo', { message: 'still here' })).text).toBe('Echo: still here');
  });
});

describe('a server over HTTP', () => {
  it('is given the headers with each request, and its session is ended at the end', async () => {
    const server = await fakeServer({ tool: () => ({ content: [{ type: 'text', text: 'yes' }] }) });
    const session = await connect(http(server.url, { Authorization: 'Bearer secret' }));
    await call(session, 'tool');
    expect(server.requests.length).toBeGreaterThan(2);
    expect(server.requests.every(({ authorization }) => authorization === 'Bearer secret')).toBe(true);
    expect(server.sessions()).toBe(1);
    await session.close();
    expect(server.sessions()).toBe(0);
    expect(lost).not.toHaveBeenCalled();
  });

  it('announces changed tools, and lists them page by page', async () => {
    const server = await fakeServer();
    server.setPages([
      [
        {
          name: 'one',
          description: 'First',
          inputSchema: { type: 'object', properties: { a: {} } },
          annotations: { readOnlyHint: true },
        },
      ],
      [{ name: 'two' }, { name: 'later', inputSchema: {}, execution: { taskSupport: 'required' } }],
    ]);
    const session = await connect(http(server.url));
    const fingerprint = expect.stringMatching(/^[\w-]{43}$/);
    expect(await session.tools(signal)).toEqual([
      {
        name: 'one',
        description: 'First',
        parameters: { type: 'object', properties: { a: {} } },
        read_only_hint: true,
        fingerprint,
      },
      { name: 'two', description: '', parameters: { type: 'object' }, read_only_hint: false, fingerprint },
    ]);
    await expect
      .poll(async () => {
        await server.announce();
        return toolsChanged.mock.calls.length;
      }, patience)
      .toBeGreaterThan(0);
  });

  it.each([
    [
      [{}, null, 'x', { name: '' }, { name: 7 }, { name: 'a', inputSchema: [] }, { name: 'good', inputSchema: {} }],
      ['good'],
    ],
    ['none', []],
    [undefined, []],
  ])('may list invalid tools: %j', async (page, names) => {
    const server = await fakeServer();
    server.setPages([page]);
    const session = await connect(http(server.url));
    expect((await session.tools(signal)).map(({ name }) => name)).toEqual(names);
  });

  it('is notified of a cancelled call', async () => {
    const aborted = vi.fn();
    const server = await fakeServer({
      hang: (_, context) =>
        new Promise(() => {
          context.signal.addEventListener('abort', aborted);
        }),
    });
    const session = await connect(http(server.url));
    const controller = new AbortController();
    const calling = call(session, 'hang', {}, { signal: controller.signal });
    calling.catch(() => undefined);
    await expect.poll(() => server.methods.length, patience).toBeGreaterThan(3);
    controller.abort(new Error('enough'));
    await expect(calling).rejects.toThrow('enough');
    await expect.poll(() => aborted.mock.calls.length, patience).toBe(1);
  });

  it.each<[string, unknown, RegExp]>([
    ['an error', { isError: true, content: [{ type: 'text', text: 'no such city' }] }, /^no such city$/],
    ['an error without a word', { isError: true, content: [] }, /^the tool failed$/],
  ])('may answer a call with %s', async (_, answer, message) => {
    const server = await fakeServer({ odd: () => answer });
    const session = await connect(http(server.url));
    await expect(call(session, 'odd')).rejects.toMatchObject({
      reason: 'tool_failed',
      message: expect.stringMatching(message),
    });
  });

  it.each<[string, string, string | Buffer]>([
    ['no JSON', 'application/json', '{"jsonrpc": '],
    ['another JSON', 'application/json', '{"weather": "sunny"}'],
    ['a page', 'text/html', '<html>'],
    ['more than fits', 'application/json', Buffer.alloc(20 * 1024 * 1024, 0x20)],
  ])('fails the call when its response is %s, and is called again afterwards', async (_, type, body) => {
    const server = await fakeServer({ tool: () => ({ content: [{ type: 'text', text: 'fine' }] }) });
    const session = await connect(http(server.url));
    let answers = 0;
    server.intercept((request, response) => {
      if (request.method !== 'POST' || answers > 0) return false;
      answers += 1;
      response.writeHead(200, { 'content-type': type }).end(body);
      return true;
    });
    await expect(call(session, 'tool')).rejects.toMatchObject({ reason: 'tool_failed' });
    expect((await call(session, 'tool')).text).toBe('fine');
  });

  it('may answer with an event that is large, but not with one that is too large', async () => {
    const server = await fakeServer({
      large: ({ bytes }) => ({ content: [{ type: 'text', text: 'x'.repeat(Number(bytes)) }] }),
    });
    const session = await connect(http(server.url));
    for (let times = 0; times < 4; times += 1) {
      expect((await call(session, 'large', { bytes: 6_000_000 })).text).toHaveLength(6_000_000);
    }
    const limit = AbortSignal.timeout(3000);
    await expect(call(session, 'large', { bytes: 20_000_000 }, { signal: limit })).rejects.toThrow();
    expect((await call(session, 'large', { bytes: 5 })).text).toBe('xxxxx');
  });

  it('is lost when it knows the session no more, and the call was not made', async () => {
    const tool = vi.fn(() => ({ content: [] }));
    const server = await fakeServer({ tool });
    const session = await connect(http(server.url));
    server.forget();
    await expect(call(session, 'tool')).rejects.toMatchObject({ name: 'ParleyError', mayHaveBeenMade: false });
    expect(tool).not.toHaveBeenCalled();
    expect(lost).toHaveBeenCalledOnce();
    await expect(call(session, 'tool')).rejects.toMatchObject({ mayHaveBeenMade: false });
  });

  it('is noticed to be gone without a call', async () => {
    const server = await startEverything('http');
    await connect(http(server.url));
    await server.kill();
    await expect.poll(() => lost.mock.calls.length, patience).toBe(1);
  });

  it('may list excessively many tools with excessive descriptions', async () => {
    const server = await fakeServer();
    const large = { type: 'object', description: 'x'.repeat(100_000) };
    const page = Array.from({ length: 600 }, (_, index) => ({ name: `t${index}`, description: 'y'.repeat(20_000) }));
    server.setPages([[{ name: 'large', inputSchema: large }], page, page, page]);
    const session = await connect(http(server.url));
    const tools = await session.tools(signal);
    expect(tools).toHaveLength(1000);
    expect(tools[0]).toEqual({
      name: 't0',
      description: 'y'.repeat(4096),
      parameters: { type: 'object' },
      read_only_hint: false,
      fingerprint: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it.each([401, 403, 404, 500])('does not let everybody in: %i', async (status) => {
    const server = await fakeServer();
    server.intercept((_request, response) => {
      response.writeHead(status).end('go away');
      return true;
    });
    await expect(connect(http(server.url))).rejects.toMatchObject({ message: expect.stringMatching(/go away/) });
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data', 'address_not_allowed'],
    ['http://0.0.0.0:8080/mcp', 'address_not_allowed'],
    ['http://127.0.0.1:1/mcp', 'tool_failed'],
  ])('cannot be %s', async (url, reason) => {
    await expect(connect(http(url))).rejects.toMatchObject({ reason });
    await expect(connect({ mode: 'sse', url, headers: {}, timeout: 5, ssereadtimeout: 5 })).rejects.toMatchObject({
      reason: 'tool_failed',
    });
  });

  it('that is down is reported with a hint, by either transport', async () => {
    const server = await fakeServer();
    await server.close();
    const down = { reason: 'tool_failed', hint: { code: 'connection_refused', parameters: {} } };
    const target = { url: server.url, headers: {}, timeout: 5 };
    await expect(connect({ mode: 'http', ...target })).rejects.toMatchObject(down);
    await expect(connect({ mode: 'sse', ...target, ssereadtimeout: 5 })).rejects.toMatchObject(down);
  });

  it.each([301, 302, 307, 308])(
    'cannot lead elsewhere by a redirect (%i), nor have its headers sent there',
    async (status) => {
      const elsewhere = await fakeServer();
      const server = await fakeServer();
      for (const location of [elsewhere.url, 'http://169.254.169.254/latest/meta-data']) {
        server.intercept((_request, response) => {
          response.writeHead(status, { location }).end();
          return true;
        });
        await expect(connect(http(server.url, { 'x-key': 'secret' }))).rejects.toThrow(/redirect/i);
      }
      expect(elsewhere.requests).toEqual([]);
    },
  );

  it('is left when it does not answer', async () => {
    const server = await fakeServer();
    server.intercept(() => true);
    const controller = new AbortController();
    const connecting = connect(http(server.url), controller.signal);
    connecting.catch(() => undefined);
    await expect.poll(() => server.requests.length, patience).toBe(1);
    controller.abort(new Error('too long'));
    await expect(connecting).rejects.toThrow('too long');
  });
});

describe('a server that is a process', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-mcp-'));
    cleanUp.push(async () => rmSync(folder, { recursive: true, force: true }));
  });
  const script = (text: string): McpTarget => {
    const file = join(folder, `${randomBytes(4).toString('hex')}.mjs`);
    writeFileSync(file, text);
    return { mode: 'stdio', command: process.execPath, args: [file, folder], env: {} };
  };
  /** Greets, and then does as the test says. */
  const greeting = (rest: string) => `
    import { createInterface } from 'node:readline';
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    const folder = process.argv[2];
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const serverInfo = { name: 'script', version: '1' };
      if (method === 'initialize')
        say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
      if (method === 'tools/list') say({ id, result: { tools: [] } });
      ${rest}
    });`;
  const isRunning = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  it('has an environment of PATH, its own HOME and the variables of its record', async () => {
    vi.stubEnv('PARLEY_SECRET_KEY', 'must not be seen');
    const session = await connect({ ...everything, env: { TOKEN: 'mine' } });
    expect(JSON.parse((await call(session, 'get-env')).text)).toEqual({
      PATH: process.env.PATH,
      HOME: join(dataDir, 'mcp/test'),
      TOKEN: 'mine',
    });
    vi.unstubAllEnvs();
  });

  it('is started without a shell', async () => {
    const session = await connect({ ...everything, args: [...everything.args, '$(touch owned)', '; exit 1', '`x`'] });
    expect((await call(session, 'echo', { message: '$HOME' })).text).toBe('Echo: $HOME');
  });

  it.each<[string, McpTarget | null, RegExp]>([
    ['does not exist', { mode: 'stdio', command: '/no/such/command', args: [], env: {} }, /cannot be started.*ENOENT/],
    ['ends immediately', null, /ended with code 3 \(it said last: the disk is full\)/],
  ])('reports why when it %s', async (_, target, message) => {
    const ending = () => script('console.error("the disk is full"); process.exitCode = 3;');
    await expect(connect(target ?? ending())).rejects.toThrow(message);
  });

  it('is ended with all that it started, though none of them heeds a request', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
    const target = script(
      greeting(`if (method === 'initialize') {
        const child = spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' });
        writeFileSync(folder + '/pids', process.pid + ' ' + child.pid);
      }`) + stubborn,
    );
    const session = await connect(target);
    const written = () => readFileSync(join(folder, 'pids'), 'utf8').split(' ').map(Number);
    const pids = await vi.waitFor(written, patience);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await session.close();
    await expect.poll(() => pids.map(isRunning), patience).toEqual([false, false]);
    expect(lost).not.toHaveBeenCalled();
  });

  it('may write other output, of which a limited part is logged', async () => {
    const target = script(
      greeting(`if (method === 'tools/call') {
        for (let line = 0; line < 5000; line += 1) { console.error('error ' + line); console.log('no message'); }
        process.stderr.write('x'.repeat(100_000) + '\\n');
        say({ id, result: { content: [{ type: 'text', text: 'done' }] } });
      }`),
    );
    const session = await connect(target);
    expect((await call(session, 'tool')).text).toBe('done');
    await expect.poll(() => said.length, patience).toBeGreaterThan(50);
    expect(said.length).toBeLessThan(130);
    expect(Math.max(...said.map(({ length }) => length))).toBeLessThan(1001);
  });

  it('is ended when a message of it does not end', async () => {
    const target = script(greeting(`if (method === 'tools/call') process.stdout.write('x'.repeat(20_000_000));`));
    const session = await connect(target);
    await expect(call(session, 'tool')).rejects.toMatchObject({ mayHaveBeenMade: true });
    expect(lost).toHaveBeenCalledOnce();
    expect(lost.mock.calls[0]?.[0].message).toMatch(/too long/);
  });

  it('fails the call that it dies in', async () => {
    const session = await connect(script(greeting(`if (method === 'tools/call') process.exit(7);`)));
    await expect(call(session, 'tool')).rejects.toMatchObject({ mayHaveBeenMade: true });
    expect(lost.mock.calls[0]?.[0].message).toMatch(/ended with code 7/);
  });
});
