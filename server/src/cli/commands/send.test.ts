import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand, type TestCommandOptions } from '../../../test/factories/test-terminal.ts';
import { freePort } from '../../../test/shared/free-port.ts';

/** A request that the fake server received. */
interface ReceivedRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

const key = 'lbk_a-key-that-must-stay-secret';
const sent = { code: 0, msg: 'ok', data: { sent: true } };
let server: Server;
let port: number;
let requests: ReceivedRequest[] = [];
let answer: (response: ServerResponse) => void;

const answerJson = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: JSON.parse(await text(request)) });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  requests = [];
  answer = answerJson(200, sent);
});

const target = ['--bot', 'bot-1', '--to', 'group', '--id', '-100123'];
const send = async (args: string[], options: TestCommandOptions = {}) => {
  const environment = { PARLEY_API_KEY: key, PARLEY_PORT: String(port), ...options.environment };
  const end = await runCommand(['send', ...target, ...args], { ...options, environment });
  expect(`${end.stdout}${end.stderr}`).not.toContain(key);
  return end;
};
const chainsSent = () => requests.map(({ body }) => (body as { message_chain: unknown }).message_chain);
const plain = (text: string) => [[{ type: 'Plain', text }]];

describe('a message', () => {
  it('goes to the server of the settings', async () => {
    const end = await send(['Hello'], { environment: { PARLEY_BASE_PATH: '/parley' } });
    expect(end).toEqual({ code: 0, stdout: '', stderr: 'The message is sent.\n' });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/parley/api/v1/platform/bots/bot-1/send_message',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: { target_type: 'group', target_id: '-100123', message_chain: [{ type: 'Plain', text: 'Hello' }] },
      },
    ]);
  });

  it('goes to the server that --url names, whatever the settings say', async () => {
    const environment = { PARLEY_PORT: 'many' };
    const end = await send(['Hello', '--url', `http://127.0.0.1:${port}/chat/`], { environment });
    expect(end.code).toBe(0);
    expect(requests[0]?.url).toBe('/chat/api/v1/platform/bots/bot-1/send_message');
  });

  it.each([
    ['0.0.0.0', '127.0.0.1'],
    ['localhost', 'localhost'],
  ])('reaches a server that listens on %s', async (host, header) => {
    expect((await send(['Hello'], { environment: { PARLEY_HOST: host } })).code).toBe(0);
    expect(requests[0]?.headers.host).toBe(`${header}:${port}`);
  });

  it('cannot go to a port that only the running server knows', async () => {
    expect(await send(['Hello'], { environment: { PARLEY_PORT: '0' } })).toMatchObject({
      code: 2,
      stderr: 'error: the settings leave the port to the system; use --url to name the server\n',
    });
  });

  it('has a new idempotency key each time, or the one that is given', async () => {
    const first = JSON.parse((await send(['Hello', '--json'])).stdout);
    await send(['Hello']);
    await send(['Hello', '--idempotency-key', 'deploy-17']);
    const keys = requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toEqual({ sent: true, idempotency_key: keys[0] });
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe('deploy-17');
  });

  it.each(['', 'with space', 'ümlaut', 'line\nbreak', 'x'.repeat(256)])('has no idempotency key %j', async (given) => {
    expect(await send(['Hello', '--idempotency-key', given])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It must be 1 to 255 printable ASCII characters without spaces.'),
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ['one line\n', 'one line'],
    ['two\nlines\r\n', 'two\nlines'],
    ['an empty line\n\n', 'an empty line\n'],
    ['用户🔑', '用户🔑'],
  ])('may come on the standard input: %j', async (input, expected) => {
    expect((await send([], { input })).code).toBe(0);
    expect(chainsSent()).toEqual(plain(expected));
  });

  it('may start like an option', async () => {
    expect((await send(['--', '--json'])).code).toBe(0);
    expect(chainsSent()).toEqual(plain('--json'));
  });

  it.each<[string, string[], TestCommandOptions, string]>([
    ['is empty', [''], {}, 'the message is empty'],
    ['is empty', [], {}, 'the message is empty'],
    ['is missing', [], { typed: true }, 'no message; pass it as an argument or on standard input'],
    ['is not text', [], { input: Buffer.from([0xc3]) }, 'the message on the standard input is not UTF-8 text'],
    ['is endless', [], { input: 'x'.repeat(5_000_000) }, 'the message on the standard input is too long'],
  ])('is not sent when it %s', async (_name, args, options, message) => {
    const end = await send(args, options);
    expect(end.code).toBe(2);
    expect(end.stderr).toContain(message);
    expect(requests).toEqual([]);
  });
});

describe('the API key', () => {
  it('may come on the standard input', async () => {
    const end = await send(['Hello', '--api-key-stdin'], { input: 'lbk_another\n' });
    expect(end.code).toBe(0);
    expect(requests[0]?.headers.authorization).toBe('Bearer lbk_another');
  });

  it.each(['lbk_broken\nin two', 'lbk_ünïcode', 'lbk_with space', '\u0000'])('%j is not shown', async (broken) => {
    const fromEnvironment = await send(['Hello'], { environment: { PARLEY_API_KEY: broken } });
    expect(fromEnvironment).toEqual({ code: 2, stdout: '', stderr: 'error: PARLEY_API_KEY is not an API key\n' });
    const fromInput = await send(['Hello', '--api-key-stdin'], { input: broken });
    expect(fromInput).toMatchObject({ code: 2, stdout: '', stderr: expect.not.stringContaining('lbk_') });
    expect(requests).toEqual([]);
  });

  it('that is empty is none', async () => {
    expect(await send(['Hello'], { environment: { PARLEY_API_KEY: '' } })).toMatchObject({ code: 2 });
    expect(await send(['Hello', '--api-key-stdin'], { input: '\n' })).toMatchObject({ code: 2 });
    expect(requests).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is passed on with its reason', async () => {
    answer = answerJson(403, { code: -1, msg: 'The API key lacks the scope "send"', reason: 'scope_required' });
    expect(await send(['Hello'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: The API key lacks the scope "send"\n',
    });
    expect(await send(['Hello', '--json'])).toEqual({
      code: 1,
      stdout: '{"error":{"reason":"scope_required","message":"The API key lacks the scope \\"send\\""}}\n',
      stderr: '',
    });
  });

  it('in the input counts as wrong usage and names every error', async () => {
    const details = [
      { path: 'target_id', message: 'must NOT have more than 512 characters' },
      { path: 'message_chain[0].text', message: 'is too long' },
    ];
    answer = answerJson(400, { code: -1, msg: 'target_id: …', reason: 'invalid_request', details });
    expect(await send(['Hello'])).toMatchObject({
      code: 2,
      stderr: 'error: target_id: must NOT have more than 512 characters\nerror: message_chain[0].text: is too long\n',
    });
    expect(JSON.parse((await send(['Hello', '--json'])).stdout).error.details).toEqual(details);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')],
    ['something else', answerJson(200, { data: { hello: 'world' } })],
    ['nothing', (response) => response.writeHead(200).end()],
    ['a list', answerJson(200, [])],
  ])('it is when another server answers with %s', async (_name, with_) => {
    answer = with_;
    expect(await send(['Hello'])).toMatchObject({
      code: 1,
      stderr: `error: what answers at http://127.0.0.1:${port} is not a Parley server\n`,
    });
  });

  it('of a gateway in between is reported with its status', async () => {
    answer = (response) => response.writeHead(502).end('<h1>Bad gateway</h1>');
    expect(await send(['Hello'])).toMatchObject({ code: 1, stderr: 'error: The server answered 502.\n' });
  });

  it('with a hostile message does nothing to a terminal', async () => {
    answer = answerJson(500, { msg: '\u001b[2Jgone', reason: 'internal' });
    expect((await send(['Hello'])).stderr).toBe('error: \\u{1b}[2Jgone\n');
  });
});

describe('a server that is not there', () => {
  it('is named, with the way to try again without sending twice', async () => {
    const port = await freePort();
    const environment = { PARLEY_PORT: String(port) };
    const end = await send(['Hello', '--idempotency-key', 'deploy-17'], { environment });
    expect(end).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `error: the server at http://127.0.0.1:${port} cannot be reached (ECONNREFUSED); ` +
        '--idempotency-key deploy-17 tries again without sending twice\n',
    });
    const json = await send(['Hello', '--json'], { environment });
    expect(JSON.parse(json.stdout).error.reason).toBe('unreachable');
  });

  it('or breaks off is no success', async () => {
    answer = (response) => response.destroy();
    const end = await send(['Hello']);
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/cannot be reached \(.+\); --idempotency-key [0-9a-f-]{36} tries again/);
  });
});
