import { once } from 'node:events';
import { connect } from 'node:net';
import { ParleyError, type SocketConnection, type SocketRequest } from '@parley/sdk';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';
import { newUuid } from '../../../lib/uuid.ts';

const fake = createFakePlatform({ inbound_sockets: true });
const deaf = createFakePlatform({ name: 'deaf', webhook: true });
const [uuid, other, third, disabled, deafUuid, broken] = Array.from({ length: 6 }, newUuid) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
fake.start = async ({ context }) => {
  if (context.bot_uuid === broken) throw new ParleyError('platform_unauthorized', 'Wrong token');
};
const service = await startTestService({
  extensions: { platforms: [fake.platform, deaf.platform] },
  config: { basePath: '/parley', maxSocketsPerCaller: 2, maxSockets: 3 },
  bots: [
    ...[uuid, other, third, broken].map((bot) => ({ adapter: 'fake', uuid: bot })),
    { adapter: 'fake', uuid: disabled, enable: false },
    { adapter: 'deaf', uuid: deafUuid },
  ],
});
afterAll(() => service.stop());

let asked: SocketRequest[];
let taken: SocketConnection[];
const clients: WebSocket[] = [];
beforeEach(() => {
  asked = [];
  taken = [];
  fake.acceptSocket = (request) => {
    asked.push(request);
    if (request.headers.authorization !== 'Bearer t') return { status: 401 };
    return (socket) => void taken.push(socket);
  };
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await Promise.all(taken.map(({ closed }) => closed));
});

/** Connects as a platform. @returns the socket, or the status and the reason of the refusal */
async function open(path: string, headers: Record<string, string> = { authorization: 'Bearer t' }) {
  const client = new WebSocket(service.address.replace('http', 'ws') + path, { headers });
  clients.push(client);
  client.on('error', () => {});
  return Promise.race([
    once(client, 'open').then(() => client),
    once(client, 'unexpected-response').then(async ([, response]) => {
      const text = Buffer.concat(await response.toArray()).toString();
      const { reason, error } = JSON.parse(text);
      service.check('GET', path, response.statusCode, text);
      expect(error).toEqual(expect.any(String));
      return `${response.statusCode} ${reason}`;
    }),
  ]);
}

async function openSocket(path: string): Promise<WebSocket> {
  const client = await open(path);
  if (typeof client === 'string') throw new Error(client);
  return client;
}

it('a socket of a platform is verified with its path, query and headers, and exchanges messages', async () => {
  const client = await openSocket(`/parley/bots/${uuid.toUpperCase()}/events/%E4%BD%A0/?a=1&a=2`);
  expect(asked).toEqual([
    { path: 'events/你', query: { a: '1' }, headers: expect.objectContaining({ authorization: 'Bearer t' }) },
  ]);
  const seen = vi.fn();
  taken[0]?.onMessage(seen);
  client.send('Hello');
  await expect.poll(() => seen.mock.calls).toEqual([['Hello']]);
  await taken[0]?.send('Good day');
  expect(String((await once(client, 'message'))[0])).toBe('Good day');
  client.close(4000, 'done');
  expect(await taken[0]?.closed).toEqual({ code: 4000, reason: 'done' });
});

it('takes messages of several megabytes, up to a limit', async () => {
  const client = await openSocket(`/bots/${uuid}`);
  const sizes: number[] = [];
  taken[0]?.onMessage(({ length }) => sizes.push(length));
  client.send('x'.repeat(16_777_216));
  await expect.poll(() => sizes).toEqual([16_777_216]);
  client.send('x'.repeat(16_777_217));
  expect(await taken[0]?.closed).toMatchObject({ code: 1006 });
  expect(sizes).toHaveLength(1);
});

it.each([400, 401, 403, 404] as const)('is refused with %s before a frame is read', async (status) => {
  fake.acceptSocket = () => ({ status });
  expect(await open(`/bots/${uuid}`)).toMatch(new RegExp(`^${status} `));
});

it.each<[string, string, string]>([
  ['an unknown bot', newUuid(), '404 not_found'],
  ['what is no bot', 'web-chat', '404 not_found'],
  ['a disabled bot', disabled, '403 bot_disabled'],
  ['a bot whose platform opens no sockets', deafUuid, '501 webhook_unsupported'],
  ['a bot that is not connected', broken, '503 bot_not_running'],
])('is refused for %s', async (_, bot, answer) => {
  for (const path of ['', '/a/b']) expect(await open(`/bots/${bot}${path}`)).toBe(answer);
  expect(asked).toEqual([]);
});

it('is refused 500 without a word of the inside when the adapter fails', async () => {
  fake.acceptSocket = () => {
    throw new Error('token=abcdef');
  };
  expect(await open(`/bots/${uuid}`)).toBe('500 internal');
});

it('is ended when the adapter fails to take it, and the service goes on', async () => {
  fake.acceptSocket = () => () => {
    throw new Error('planted');
  };
  const client = await openSocket(`/bots/${uuid}`);
  if (client.readyState !== client.CLOSED) await once(client, 'close');
  expect((await service.request({ url: '/healthz' })).status).toBe(200);
});

it('is refused beyond the limits of a bot and of the server, until one closes', async () => {
  const first = await openSocket(`/bots/${uuid}`);
  await openSocket(`/bots/${uuid}`);
  expect(await open(`/bots/${uuid}`)).toBe('429 too_many_requests');
  await openSocket(`/bots/${other}`);
  expect(await open(`/bots/${third}`)).toBe('429 too_many_requests');
  // A refused client uses no place.
  expect(await open(`/bots/${third}`, {})).toBe('401 invalid_signature');
  first.close();
  await taken[0]?.closed;
  await openSocket(`/bots/${third}`);
});

it('is refused to pages of browsers', async () => {
  const authorization = 'Bearer t';
  expect(await open(`/bots/${uuid}`, { authorization, origin: 'http://evil.example' })).toBe('403 foreign_origin');
  expect(await open(`/bots/${uuid}`, { authorization, 'sec-fetch-site': 'cross-site' })).toBe('403 foreign_origin');
  expect(asked).toEqual([]);
  const own = await open(`/bots/${uuid}`, { authorization, origin: service.address });
  expect(own).toBeInstanceOf(WebSocket);
});

it('differs from a request that only offers an upgrade', async () => {
  const send = async (lines: string[]) => {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\n\r\n`);
    return (
      Buffer.concat(await socket.toArray())
        .toString()
        .split('\r\n')[0] ?? ''
    ).replace('HTTP/1.1 ', '');
  };
  const bot = `/bots/${deafUuid}`;
  expect(await send([`GET ${bot} HTTP/1.1`, 'Upgrade: h2c'])).toBe('200 OK');
  expect(await send([`POST ${bot} HTTP/1.1`, 'Upgrade: websocket', 'Content-Length: 0'])).toBe('200 OK');
  const half = [`GET /bots/${uuid} HTTP/1.1`, 'Upgrade: websocket', 'Authorization: Bearer t'];
  expect(await send(half)).toBe('400 Bad Request');
  expect(taken).toEqual([]);
});

it('ends when its bot is disabled, and a new one is refused', async () => {
  const client = await openSocket(`/bots/${other}`);
  const bearer = service.account.token;
  const url = `/api/v1/platform/bots/${other}`;
  const closed = once(client, 'close');
  await service.request({ method: 'PUT', url, bearer, json: { enable: false } });
  expect((await closed)[0]).toBe(1012);
  expect(await open(`/bots/${other}`)).toBe('403 bot_disabled');
  await service.request({ method: 'PUT', url, bearer, json: { enable: true } });
  await expect.poll(async () => (await open(`/bots/${other}`)) instanceof WebSocket).toBe(true);
});

it('ends when the service stops, also when its client does not respond', async () => {
  const own = createFakePlatform({ inbound_sockets: true });
  own.acceptSocket = () => () => undefined;
  const bot = newUuid();
  const stopping = await startTestService({
    extensions: { platforms: [own.platform] },
    bots: [{ adapter: 'fake', uuid: bot }],
  });
  const client = new WebSocket(`${stopping.address.replace('http', 'ws')}/bots/${bot}`);
  await once(client, 'open');
  client.pause();
  await stopping.stop();
  client.terminate();
});
