import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { ParleyError } from '@parley/sdk';
import { type ConnectProxy, startConnectProxy } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createPlatformNetwork } from './fetch-for-record.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createGuardedSocket } from './sockets/guarded-socket.ts';

const closers: (() => Promise<unknown>)[] = [];
let proxy: ConnectProxy;
/** An address of this machine without a server. */
let closedUrl: string;
beforeEach(async () => {
  const gone = await startConnectProxy();
  await gone.close();
  closedUrl = gone.url;
  proxy = await startConnectProxy('user:p@ss:word');
  closers.push(proxy.close);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const account = 'user:p%40ss%3Aword@';
const withAccount = (url: string) => url.replace('://', `://${account}`);
const through = (url = withAccount(proxy.url)) => ({ url, policy: 'saved' as const });

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    return once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}
function serve(listener: RequestListener): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    listener(request, response);
  });
  return listening(server);
}
const failureOf = (attempt: Promise<unknown>): Promise<ParleyError> =>
  attempt.then(
    () => expect.fail('it should have failed'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ParleyError);
      return error as ParleyError;
    },
  );
const signal = new AbortController().signal;

describe('a call through a proxy', () => {
  it('reaches its target by name, with the account of the proxy, and follows redirects through it', async () => {
    const second = await serve((request, response) => response.end(`${request.headers['proxy-authorization']}`));
    const first = await serve((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${second}/` }).end();
    });
    const fetch = createGuardedFetch({ policy: 'saved', proxy: through() });
    expect(await (await fetch(`http://localhost:${first}/`)).text()).toBe('undefined');
    expect(proxy.targets).toEqual([`localhost:${first}`, `127.0.0.1:${second}`]);
  });

  it('sends bodies in both directions', async () => {
    const port = await serve((request, response) => void request.pipe(response));
    const fetch = createGuardedFetch({ policy: 'saved', proxy: through() });
    const body = 'x'.repeat(1_000_000);
    expect(await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text()).toBe(body);
  });

  it.each(['https', 'wss'])('encrypts %s to the target itself', async (scheme) => {
    const hello = Promise.withResolvers<Buffer>();
    const port = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', (data: Buffer) => {
          hello.resolve(data);
          socket.destroy();
        });
      }),
    );
    const options = { policy: 'saved' as const, proxy: through() };
    const attempt =
      scheme === 'https'
        ? createGuardedFetch(options)(`https://localhost:${port}/`)
        : createGuardedSocket(options)(`wss://localhost:${port}/`, { signal });
    await expect(attempt).rejects.toThrow();
    const data = await hello.promise;
    // A TLS handshake that names the host.
    expect([data[0], data.includes('localhost')]).toEqual([0x16, true]);
    expect(proxy.targets).toEqual([`localhost:${port}`]);
  });

  it.each(['http://169.254.169.254/', 'http://10.0.0.1/', 'http://127.0.0.1:40001/', 'http://[::1]:40001/'])(
    'to the refused address %s never gets to the proxy',
    async (address) => {
      const options = { policy: 'content' as const, proxy: through() };
      const failure = await failureOf(createGuardedFetch(options)(address));
      expect(failure.reason).toBe('address_not_allowed');
      const socket = createGuardedSocket(options)(address.replace('http', 'ws'), { signal });
      expect((await failureOf(socket)).reason).toBe('address_not_allowed');
      expect(proxy.targets).toEqual([]);
    },
  );

  it('to a name that has a refused address, or a redirect there, never gets to the proxy', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    });
    const resolve = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    const content = createGuardedFetch({ policy: 'content', proxy: through(), resolve });
    expect((await failureOf(content('http://two.example/'))).reason).toBe('address_not_allowed');
    const saved = createGuardedFetch({ policy: 'saved', proxy: through() });
    expect((await failureOf(saved(`http://127.0.0.1:${port}/`))).reason).toBe('address_not_allowed');
    expect(proxy.targets).toEqual([`127.0.0.1:${port}`]);
  });

  it.each([
    ['without an account', (url: string) => url],
    ['with a wrong password', (url: string) => url.replace('://', '://user:s3cret-wrong@')],
  ])('fails %s, with an error that says so and keeps the account', async (_, url) => {
    const failure = await failureOf(createGuardedFetch({ policy: 'saved', proxy: through(url(proxy.url)) })(closedUrl));
    expect({ reason: failure.reason, message: failure.message }).toEqual({
      reason: 'platform_failed',
      message: `The proxy ${proxy.url} refused the connection with status 407: check its user name and password`,
    });
    const socket = createGuardedSocket({ policy: 'saved', proxy: through(url(proxy.url)) });
    expect((await failureOf(socket(closedUrl.replace('http', 'ws'), { signal }))).message).toBe(failure.message);
    expect(`${failure.stack}${JSON.stringify(failure)}`).not.toContain('s3cret');
  });

  it('fails when the proxy cannot reach the target, is not there, or must not be reached', async () => {
    const call = (over: Parameters<typeof createGuardedFetch>[0]) => failureOf(createGuardedFetch(over)(closedUrl));
    const saved = { policy: 'saved' as const };
    expect((await call({ ...saved, proxy: through() })).message).toContain('with status 502');
    const absent = await call({ ...saved, proxy: through(withAccount(closedUrl)) });
    expect(absent.message).toBe(`The proxy ${closedUrl} cannot be reached: ECONNREFUSED`);
    for (const url of [closedUrl, closedUrl.replace('127.0.0.1', 'localhost')]) {
      const refused = await call({ ...saved, proxy: { url, policy: 'content' } });
      expect(refused.reason).toBe('address_not_allowed');
    }
  });

  it('gives up when the proxy does not answer, and when it is aborted', async () => {
    const port = await listening(createTcpServer((socket) => void socket.resume().on('error', () => {})));
    const silent = through(`http://127.0.0.1:${port}`);
    const fetch = createGuardedFetch({ policy: 'saved', proxy: silent, connectTimeoutMs: 50 });
    await expect(fetch(closedUrl)).rejects.toThrow();
    const open = createGuardedSocket({ policy: 'saved', proxy: silent, handshakeTimeoutMs: 50 });
    await expect(open(closedUrl.replace('http', 'ws'), { signal })).rejects.toThrow();
    const controller = new AbortController();
    const attempt = createGuardedSocket({ policy: 'saved', proxy: silent })(
      closedUrl.replace('http', 'ws'),
      controller,
    );
    controller.abort(new Error('The bot is stopped'));
    await expect(attempt).rejects.toThrow('The bot is stopped');
  });

  it('uses TLS to a proxy with https', async () => {
    const first = Promise.withResolvers<Buffer>();
    const port = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', (data: Buffer) => {
          first.resolve(data);
          socket.destroy();
        });
      }),
    );
    const fetch = createGuardedFetch({ policy: 'saved', proxy: through(withAccount(`https://127.0.0.1:${port}`)) });
    await expect(fetch(closedUrl)).rejects.toMatchObject({ reason: 'platform_failed' });
    expect((await first.promise)[0]).toBe(0x16);
  });
});

it('a websocket through a proxy exchanges messages', async () => {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  const port = await listening(http);
  closers.unshift(async () => {
    for (const client of server.clients) client.terminate();
  });
  server.on('connection', (peer) => peer.on('message', (data) => peer.send(`${data}!`)));
  const open = createGuardedSocket({ policy: 'saved', proxy: through(), handshakeTimeoutMs: 200 });
  const socket = await open(`ws://localhost:${port}/`, { signal });
  // The time for the handshake does not limit the connection.
  await once(AbortSignal.timeout(250), 'abort');
  const seen: unknown[] = [];
  socket.onMessage((data) => seen.push(data));
  await socket.send('Hello');
  await expect.poll(() => seen).toEqual(['Hello!']);
  expect(proxy.targets).toEqual([`localhost:${port}`]);
});

it('the proxy of a bot takes the place of the one of all bots, and is private only if an admin saved it', async () => {
  const port = await serve((_request, response) => response.end('hello'));
  const target = `http://127.0.0.1:${port}`;
  const all = await startConnectProxy();
  closers.push(all.close);
  const network = createPlatformNetwork(all.url);
  expect(await (await network([target], null).fetch(target)).text()).toBe('hello');
  expect([all.targets.length, proxy.targets.length]).toEqual([1, 0]);
  const own = withAccount(proxy.url);
  expect(await (await network([target, proxy.url], own).fetch(target)).text()).toBe('hello');
  expect([all.targets.length, proxy.targets.length]).toEqual([1, 1]);
  expect((await failureOf(network([target], own).fetch(target))).reason).toBe('address_not_allowed');
  expect(proxy.targets).toHaveLength(1);
});
