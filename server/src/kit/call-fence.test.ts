import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DeliveryError } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { CallFence } from './call-fence.ts';
import { networkFailureOf } from './failures/network-failure.ts';
import { createPlatformNetwork } from './fetch-for-record.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createGuardedSocket } from './sockets/guarded-socket.ts';

/** A fence that a test closes and opens. */
class TestFence implements CallFence {
  mayWork = true;
  #working = new AbortController();
  get working() {
    return this.#working.signal;
  }
  close() {
    this.mayWork = false;
    this.#working.abort();
  }
  open() {
    this.mayWork = true;
    this.#working = new AbortController();
  }
}

let server: Server;
let websockets: WebSocketServer;
let fence: TestFence;
/** What reached the server. */
let seen: string[];
const connections = new Set<Socket>();
beforeEach(async () => {
  fence = new TestFence();
  // What an earlier test left, such as a socket that closes late, is not seen in this one.
  const record: string[] = [];
  seen = record;
  server = createServer(async (request, response) => {
    record.push(`${request.method} ${request.url} ${Buffer.concat(await request.toArray())}`);
    // Those of a platform that takes its time are left without a response.
    if (request.url !== '/slow') response.end('done');
  });
  websockets = new WebSocketServer({ server });
  websockets.on('connection', (socket) => {
    record.push('connected');
    socket.on('message', (data) => record.push(String(data)));
    socket.on('close', (code) => record.push(`closed ${code}`));
  });
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const connection of connections) connection.destroy();
  server.close();
  await once(server, 'close');
});
const at = (path: string, scheme = 'http') => {
  const { port } = server.address() as AddressInfo;
  return `${scheme}://platform.test:${port}${path}`;
};
/** Resolves the host once the test lets it, as a slow network does. */
const slowly = () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  return {
    asked,
    answer,
    resolve: async () => {
      ask();
      await promise;
      return [{ address: '127.0.0.1', family: 4 }];
    },
  };
};
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error,
  );
const notSent = { kind: 'not_sent', reason: 'not_ready' };

/** Posts of texts take a way of their own. */
const requests: [name: string, init: RequestInit][] = [
  ['a post of text', { method: 'POST', body: 'text' }],
  ['another request', { method: 'PUT', body: new Uint8Array([66]) }],
];

describe.each(requests)('%s of a fenced client', (_name, init) => {
  const client = (resolve = async () => [{ address: '127.0.0.1', family: 4 }]) =>
    createGuardedFetch({ policy: 'saved', resolve, fence });

  it('is not sent while the fence is closed, and is again afterwards', async () => {
    const fetch = client();
    expect(await (await fetch(at('/'), init)).text()).toBe('done');
    fence.close();
    const failure = await failureOf(fetch(at('/'), init));
    expect(failure).toBeInstanceOf(DeliveryError);
    expect(failure).toMatchObject(notSent);
    expect(seen).toHaveLength(1);
    fence.open();
    expect(await (await fetch(at('/'), init)).text()).toBe('done');
    expect(seen).toHaveLength(2);
  });

  it('is not sent when the fence closes while it waits for its connection', async () => {
    const network = slowly();
    const call = failureOf(client(network.resolve)(at('/'), init));
    await network.asked;
    fence.close();
    network.answer();
    expect(await call).toMatchObject(notSent);
    expect(seen).toEqual([]);
  });

  it('is not sent when time has passed without any timer, as after the process was stopped', async () => {
    const network = slowly();
    const call = failureOf(client(network.resolve)(at('/'), init));
    await network.asked;
    fence.mayWork = false;
    network.answer();
    expect(await call).toMatchObject(notSent);
    expect(seen).toEqual([]);
  });

  it('is cut off when the fence closes after it was sent: it may have arrived', async () => {
    const call = failureOf(client()(at('/slow'), init));
    await expect.poll(() => seen).toHaveLength(1);
    fence.close();
    const failure = await call;
    expect(failure).not.toBeInstanceOf(DeliveryError);
    expect(networkFailureOf(failure)).toMatchObject({ kind: 'unknown', isTimeout: false });
    await expect.poll(() => connections.size).toBe(0);
  });
});

describe('a websocket of a fenced client', () => {
  const { signal } = new AbortController();
  const connect = (resolve = async () => [{ address: '127.0.0.1', family: 4 }]) =>
    createGuardedSocket({ policy: 'saved', resolve, fence })(at('/', 'ws'), { signal });

  it('is not opened when the fence closes while it connects', async () => {
    const network = slowly();
    const call = failureOf(connect(network.resolve));
    await network.asked;
    fence.mayWork = false;
    network.answer();
    expect(await call).toMatchObject({ reason: 'not_ready' });
    expect(seen).toEqual([]);
  });

  it('sends nothing while the fence is closed', async () => {
    const socket = await connect();
    await socket.send('one');
    fence.mayWork = false;
    expect(await failureOf(socket.send('two'))).toMatchObject(notSent);
    socket.ping();
    fence.mayWork = true;
    await socket.send('three');
    await expect.poll(() => seen).toEqual(['connected', 'one', 'three']);
    socket.terminate();
    await expect.poll(() => seen).toContain('closed 1006');
  });

  it('ends when the fence closes while a message has not left', async () => {
    const socket = await connect();
    // More than the system takes at once.
    const sent = failureOf(socket.send(Buffer.alloc(15_000_000)));
    fence.close();
    expect(await socket.closed).toMatchObject({ code: 1006 });
    await sent;
    await expect.poll(() => seen).toEqual(['connected', 'closed 1006']);
  });

  it('can be read when the fence has closed, until its owner ends it', async () => {
    const socket = await connect();
    const read: unknown[] = [];
    socket.onMessage((data) => void read.push(data));
    fence.close();
    for (const peer of websockets.clients) peer.send('late');
    await socket.roundTrip();
    expect(read).toEqual(['late']);
    socket.close();
    await expect.poll(() => seen).toEqual(['connected', 'closed 1005']);
  });

  it('ends by itself when its owner does not end it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const socket = await connect();
      fence.close();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await socket.closed).toMatchObject({ code: 1006 });
    } finally {
      vi.useRealTimers();
    }
  });
});

it('All clients of a platform are fenced', async () => {
  const network = createPlatformNetwork(null, fence)(null, null);
  const { signal } = new AbortController();
  fence.close();
  const { port } = server.address() as AddressInfo;
  expect(await failureOf(network.fetch(`http://127.0.0.1:${port}/`))).toMatchObject(notSent);
  expect(await failureOf(network.openSocket(`ws://127.0.0.1:${port}/`, { signal }))).toMatchObject({
    reason: 'not_ready',
  });
  expect(seen).toEqual([]);
});
