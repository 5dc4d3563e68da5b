import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DeliveryError, type OpenSocketOptions, SocketRefusedError } from '@parley/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createPlatformNetwork } from '../fetch-for-record.ts';
import { createGuardedSocket, type GuardedSocketOptions } from './guarded-socket.ts';

const signal = new AbortController().signal;
let http: Server;
let server: WebSocketServer;
let connections: Set<Socket>;
beforeEach(async () => {
  http = createServer((_request, response) => response.writeHead(401).end('wrong token'.repeat(1000)));
  server = new WebSocketServer({ server: http });
  connections = new Set();
  http.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
});
afterEach(async () => {
  for (const connection of connections) connection.destroy();
  http.closeAllConnections();
  http.close();
  await once(http, 'close');
});

const port = () => (http.address() as AddressInfo).port;
const address = (host = '127.0.0.1') => `ws://${host}:${port()}/`;
const connect = (over: Partial<OpenSocketOptions> = {}, options: Partial<GuardedSocketOptions> = {}) =>
  createGuardedSocket({ policy: 'saved', ...options })(address(), { signal, ...over });
const accepted = async (): Promise<WebSocket> => (await once(server, 'connection'))[0];

it('exchanges texts and bytes with headers and protocols, and ends with a code', async () => {
  const [[peer, request], socket] = await Promise.all([
    once(server, 'connection'),
    connect({ headers: { authorization: 'Bearer t' }, protocols: ['chat'] }),
  ]);
  expect(request.headers).toMatchObject({ authorization: 'Bearer t', 'sec-websocket-protocol': 'chat' });
  const [seen, received]: [unknown[], unknown[]] = [[], []];
  socket.onMessage((data) => seen.push(data));
  peer.on('message', (data: Buffer, isBinary: boolean) => received.push(isBinary ? [...data] : data.toString()));
  await socket.send('Hello 你好');
  await socket.send(Uint8Array.of(1, 2));
  peer.send('Good day');
  peer.send(Buffer.of(3, 4));
  await expect
    .poll(() => [received, seen])
    .toEqual([
      ['Hello 你好', [1, 2]],
      ['Good day', Buffer.of(3, 4)],
    ]);
  peer.close(4014, 'an intent is missing');
  expect(await socket.closed).toEqual({ code: 4014, reason: 'an intent is missing' });
  const failure = await socket.send('too late').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DeliveryError);
  expect(failure).toMatchObject({ kind: 'not_sent' });
});

it('misses nothing that comes with the handshake, also behind promises', async () => {
  server.on('connection', (peer) => {
    peer.send('First');
    peer.send('Second');
  });
  const seen: unknown[] = [];
  for (let times = 1; times <= 10; times += 1) {
    // As an adapter gets it: the service hands the client over in functions of its own.
    const through = async (socket: ReturnType<typeof connect>) => socket;
    const socket = await through(through(through(connect())));
    socket.onMessage((data) => seen.push(data));
    await expect.poll(() => seen).toHaveLength(2 * times);
    socket.terminate();
  }
});

it('tells of every frame, and of a connection that broke', async () => {
  const [peer, socket] = await Promise.all([accepted(), connect()]);
  const active = vi.fn();
  socket.onActivity(active);
  socket.ping();
  await expect.poll(() => active.mock.calls.length).toBe(1);
  peer.ping();
  await expect.poll(() => active.mock.calls.length).toBe(2);
  for (const connection of connections) connection.destroy();
  expect(await socket.closed).toMatchObject({ code: 1006 });
  socket.ping();
});

it('ends at once when it is terminated, although the platform does not respond', async () => {
  const [peer, socket] = await Promise.all([accepted(), connect()]);
  peer.pause();
  socket.terminate();
  expect(await socket.closed).toMatchObject({ code: 1006 });
});

it('reports the status and the start of the body of a refusal', async () => {
  server.close();
  http.removeAllListeners('upgrade');
  const failure = await connect().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SocketRefusedError);
  expect(failure).toMatchObject({
    status: 401,
    reason: 'platform_failed',
    body: expect.stringMatching(/^wrong token/),
  });
  expect((failure as SocketRefusedError).body.length).toBeLessThanOrEqual(4096);
});

it('follows no redirect', async () => {
  http.removeAllListeners('upgrade');
  http.on('upgrade', (_request, socket) => {
    socket.end(
      'HTTP/1.1 302 Found\r\nLocation: ws://169.254.169.254/\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    );
  });
  await expect(connect()).rejects.toMatchObject({ status: 302 });
});

it('ends a message that is longer than allowed, without holding it', async () => {
  const [peer, socket] = await Promise.all([accepted(), connect({}, { maximumBytes: 1000 })]);
  const seen = vi.fn();
  socket.onMessage(seen);
  peer.send('x'.repeat(1001));
  expect(await socket.closed).toMatchObject({ code: 1006 });
  expect(seen).not.toHaveBeenCalled();
});

it('gives up without a server, when the handshake takes too long, and when it is aborted', async () => {
  http.removeAllListeners('upgrade');
  http.on('upgrade', (_request, socket) => socket.resume().on('end', () => socket.destroy()));
  await expect(connect({}, { handshakeTimeoutMs: 50 })).rejects.toMatchObject({ reason: 'platform_failed' });
  await expect.poll(() => connections.size).toBe(0);
  const controller = new AbortController();
  const attempt = connect({ signal: controller.signal });
  await expect.poll(() => connections.size).toBeGreaterThan(0);
  controller.abort(new Error('The bot is stopped'));
  await expect(attempt).rejects.toThrow('The bot is stopped');
  await expect.poll(() => connections.size).toBe(0);
  await expect(connect({ signal: AbortSignal.abort(new Error('Stopped')) })).rejects.toThrow('Stopped');
  const open = createGuardedSocket({ policy: 'saved' });
  await expect(open('ws://127.0.0.1:1/', { signal })).rejects.toMatchObject({ reason: 'platform_failed' });
});

it.each([
  'ws://127.0.0.1/',
  'ws://[::1]/',
  'ws://2130706433/',
  'ws://10.0.0.1/',
  'wss://[::ffff:10.0.0.1]/',
  'http://example.com/',
  'ws://user:secret@example.com/',
  'not an address',
])('refuses %s from content', async (target) => {
  const open = createGuardedSocket({ policy: 'content' });
  await expect(open(target, { signal })).rejects.toMatchObject({ reason: 'address_not_allowed' });
});

it('checks the address that a name resolves to, at each connection', async () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const target = `ws://example.com:${port()}/`;
  const content = createGuardedSocket({ policy: 'content', resolve });
  await expect(content(target, { signal })).rejects.toMatchObject({ reason: 'address_not_allowed' });
  expect(connections.size).toBe(0);
  const [peer] = await Promise.all([accepted(), createGuardedSocket({ policy: 'saved', resolve })(target, { signal })]);
  expect(peer.readyState).toBe(peer.OPEN);
});

it('lets a record reach private networks only at the origins that an admin saved', async () => {
  const network = createPlatformNetwork(null);
  const socketFor = (saved: string[] | null) => network(saved, null).openSocket;
  const [peer] = await Promise.all([accepted(), socketFor([`http://127.0.0.1:${port()}/api`])(address(), { signal })]);
  expect(peer.readyState).toBe(peer.OPEN);
  await Promise.all([accepted(), socketFor(null)(address(), { signal })]);
  for (const saved of [[], ['http://127.0.0.1:1'], [`https://127.0.0.1:${port()}`]]) {
    await expect(socketFor(saved)(address(), { signal })).rejects.toMatchObject({ reason: 'address_not_allowed' });
  }
});
