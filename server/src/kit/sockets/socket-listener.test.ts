import { once } from 'node:events';
import { connect } from 'node:net';
import { ParleyError, type SocketConnection, type SocketListener } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type AcceptSocket, listenForSockets, type SocketListenerOptions } from './socket-listener.ts';

const open: SocketListener[] = [];
const clients: WebSocket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  for (const listener of open.splice(0)) await listener.close();
});

let taken: SocketConnection[];
const accept = vi.fn<AcceptSocket>();
beforeEach(() => {
  taken = [];
  accept.mockReset();
  accept.mockImplementation(() => (socket) => void taken.push(socket));
});

async function listen(options: Partial<SocketListenerOptions> = {}, host = '127.0.0.1', port = 0) {
  const listener = await listenForSockets({ host, port }, accept, { maximumConnections: 10, ...options });
  open.push(listener);
  return listener;
}

/** @returns the socket, or the status that refuses it */
async function connectTo(port: number, path = '/', headers: Record<string, string> = {}) {
  const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  clients.push(client);
  client.on('error', () => {});
  const refused = once(client, 'unexpected-response').then(async ([, response]) => {
    const text = Buffer.concat(await response.toArray()).toString();
    return `${response.statusCode} ${text}`;
  });
  return Promise.race([once(client, 'open').then(() => client), refused]);
}

it('passes the request on and exchanges messages', async () => {
  const { port } = await listen();
  const client = await connectTo(port, '/one%20two/?a=1&a=2&__proto__=x', { authorization: 'Bearer t' });
  expect(accept.mock.calls[0]?.[0]).toMatchObject({
    path: 'one two',
    headers: { authorization: 'Bearer t', host: `127.0.0.1:${port}` },
  });
  expect(Object.entries(accept.mock.calls[0]?.[0].query ?? {}).sort()).toEqual([
    ['__proto__', 'x'],
    ['a', '1'],
  ]);
  const seen = vi.fn();
  taken[0]?.onMessage(seen);
  (client as WebSocket).send('Hello');
  await expect.poll(() => seen.mock.calls).toEqual([['Hello']]);
});

it.each<[ParleyError | Error, string]>([
  [new ParleyError('invalid_signature', 'Wrong token'), '401 Wrong token'],
  [new ParleyError('forbidden', 'No'), '403 No'],
  [new ParleyError('too_many_requests', 'Too many'), '429 Too many'],
  [new ParleyError('bot_not_running', 'Stopped'), '503 Stopped'],
  [new ParleyError('platform_failed', '你'), '500 你'],
  [new Error('token=abc'), '500 An unexpected fault'],
])('refuses a socket before its handshake: %s', async (error, answer) => {
  accept.mockImplementation(() => {
    throw error;
  });
  const { port } = await listen();
  expect(await connectTo(port)).toBe(answer);
});

it('refuses a path that cannot be decoded', async () => {
  const { port } = await listen();
  expect(await connectTo(port, '/%zz')).toMatch(/^400 /);
  expect(accept).not.toHaveBeenCalled();
});

it('answers 426 to other requests', async () => {
  const { port } = await listen();
  for (const init of [{}, { method: 'POST', body: 'x' }]) {
    const answer = await fetch(`http://127.0.0.1:${port}/a`, init);
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket']);
  }
  expect(accept).not.toHaveBeenCalled();
});

it('refuses pages of browsers, also those of a name that leads to this machine', async () => {
  const { port } = await listen();
  expect(await connectTo(port, '/', { origin: 'https://evil.example' })).toMatch(/^403 /);
  expect(await connectTo(port, '/', { origin: 'null' })).toMatch(/^403 /);
  const rebound = `evil.example:${port}`;
  expect(await connectTo(port, '/', { host: rebound, origin: `http://${rebound}` })).toMatch(/^403 /);
  expect(accept).not.toHaveBeenCalled();
  expect(await connectTo(port, '/', { origin: `http://127.0.0.1:${port}` })).toBeInstanceOf(WebSocket);
});

it('ends connections whose handshake does not arrive, and takes no more than it may', async () => {
  const { port } = await listen({ handshakeTimeoutMs: 100, maximumConnections: 2 });
  const slow = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  for (const socket of slow) socket.write('GET / HTTP/1.1\r\n');
  const ends = slow.map((socket) => once(socket.resume(), 'close'));
  await Promise.all(slow.map((socket) => once(socket, 'connect')));
  const third = connect(port, '127.0.0.1');
  third.on('error', () => {});
  await once(third.resume(), 'close');
  await Promise.all(ends);
  expect(await connectTo(port)).toBeInstanceOf(WebSocket);
});

it('ends a client that does not answer pings, and keeps one that does', async () => {
  const { port } = await listen({ pingIntervalMs: 30 });
  const silent = (await connectTo(port)) as WebSocket;
  const well = (await connectTo(port)) as WebSocket;
  silent.pause();
  expect(await taken[0]?.closed).toMatchObject({ code: 1006 });
  let pings = 0;
  well.on('ping', () => {
    pings += 1;
  });
  await expect.poll(() => pings).toBeGreaterThan(2);
  expect(well.readyState).toBe(well.OPEN);
});

it('ends a message that is longer than allowed, and takes no compressed one', async () => {
  const { port } = await listen({ maximumBytes: 1000 });
  const client = (await connectTo(port)) as WebSocket;
  expect(client.extensions).toBe('');
  client.send('x'.repeat(1001));
  expect(await taken[0]?.closed).toMatchObject({ code: 1006 });
});

describe('close', () => {
  it('ends everything, and frees the port', async () => {
    const listener = await listen();
    const responsive = (await connectTo(listener.port)) as WebSocket;
    const silent = (await connectTo(listener.port)) as WebSocket;
    const idle = connect(listener.port, '127.0.0.1');
    await once(idle, 'connect');
    silent.pause();
    const ended = [once(responsive, 'close'), once(idle.resume(), 'close')];
    await Promise.all([listener.close(), listener.close()]);
    expect((await ended[0])?.[0]).toBe(1012);
    await ended[1];
    await listen({}, '127.0.0.1', listener.port);
  });
});

describe('an address that cannot be used', () => {
  const refused = (host: string, port: number) =>
    listen({}, host, port).then(
      () => null,
      ({ reason, message }: ParleyError) => ({ reason, message }),
    );

  it('is named when another one listens there', async () => {
    const { port } = await listen();
    expect(await refused('127.0.0.1', port)).toEqual({
      reason: 'conflict',
      message: `The address 127.0.0.1:${port} is in use by another bot or program. Choose another host or port`,
    });
  });

  it.each([
    ['203.0.113.1', 40_000, 'The address 203.0.113.1:40000 is not an address of this machine'],
    ['2001:db8::1', 40_000, 'The address [2001:db8::1]:40000 '],
    ['nobody.invalid', 40_000, 'The address nobody.invalid:40000 '],
    ['127.0.0.1', 65_536, 'The address 127.0.0.1:65536 '],
    ['127.0.0.1', -1, 'The address 127.0.0.1:-1 '],
    ['127.0.0.1', 1.5, 'The address 127.0.0.1:1.5 '],
    [' ', 40_000, 'The host to listen on is empty'],
  ])('is named: %s, %s', async (host, port, message) => {
    expect(await refused(host, port)).toEqual({
      reason: 'invalid_request',
      message: expect.stringContaining(message),
    });
  });
});
