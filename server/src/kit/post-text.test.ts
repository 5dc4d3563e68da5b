import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTextPost, postText } from './post-text.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let agent: Agent;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  agent = new Agent();
});
afterEach(async () => {
  await agent.destroy();
  for (const end of ends.splice(0)) await end();
});

/** An HTTP server, and its connections so far. */
async function serve(handler: Handler) {
  const sockets: Socket[] = [];
  const server = createServer(handler).on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`), sockets };
}

/** A server that answers each connection with these bytes, and then closes it. */
async function serveRaw(...parts: (string | Buffer)[]) {
  const server = createSocketServer(async (socket) => {
    socket.on('error', () => undefined);
    await once(socket, 'data');
    for (const part of parts) {
      socket.write(part);
      await delay(10);
    }
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.close();
    await once(server, 'close');
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const post = (url: URL, init: RequestInit = {}) =>
  postText(agent, url, { body: '{}', ...init, method: 'POST' } as never);

describe('a text that is posted', () => {
  it('is a request with a text and this method only', () => {
    expect(isTextPost({ method: 'POST', body: '' })).toBe(true);
    for (const request of [
      { method: 'POST' },
      { method: 'PUT', body: '' },
      { body: '' },
      { method: 'POST', body: new FormData() },
    ])
      expect(isTextPost(request)).toBe(false);
  });

  it('arrives with its path, its headers and those of fetch', async () => {
    const { url } = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      response.end(JSON.stringify({ method: request.method, path: request.url, headers: request.headers, body }));
    });
    const ask = async (headers: HeadersInit) => (await post(url, { body: 'grüße', headers })).json();
    const { headers, ...rest } = await ask({ 'Content-Type': 'application/json', Authorization: 'Bearer k' });
    expect(rest).toEqual({ method: 'POST', path: '/a?b=c', body: 'grüße' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer k',
      accept: '*/*',
      'user-agent': 'undici',
      'content-length': '7',
    });
    expect((await ask([['user-agent', 'parley']])).headers).toMatchObject({
      'user-agent': 'parley',
      'content-type': 'text/plain;charset=UTF-8',
    });
  });

  it.each([['a\nb'], ['snow ☃']])('is refused with the header %j', async (value) => {
    const { url } = await serve((_, response) => response.end());
    await expect(post(url, { headers: { mark: value } })).rejects.toThrow(TypeError);
  });
});

describe('the response', () => {
  it('has its status, its headers and its body', async () => {
    const { url } = await serve((_, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      response.writeHead(418, 'A teapot', [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-mark', 'm'],
      ] as never);
      response.end('short and stout');
    });
    const response = await post(url);
    expect(response).toBeInstanceOf(Response);
    expect([response.ok, response.status, response.statusText]).toEqual([false, 418, 'A teapot']);
    expect([response.headers.getSetCookie(), response.headers.get('x-mark')]).toEqual([['a=1', 'b=2'], 'm']);
    expect(await response.text()).toBe('short and stout');
  });

  it.each([204, 304])('has no body with status %i', async (status) => {
    const { url } = await serve((_, response) => response.writeHead(status).end());
    expect((await post(url)).body).toBeNull();
  });

  it.each(['HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n', 'nonsense\r\n\r\n', 'HTTP/1.1 200'])(
    'fails as fetch does with the head %j',
    async (head) => {
      await expect(post(await serveRaw(head))).rejects.toMatchObject({ cause: expect.any(Error) });
    },
  );

  it('has what arrives together in one chunk, and what arrives later in another', async () => {
    const { url } = await serve(async (_, response) => {
      response.flushHeaders();
      await delay(20);
      response.cork();
      for (const text of ['a', 'b', 'c']) response.write(text);
      response.uncork();
      await delay(50);
      response.end('d');
    });
    const decoder = new TextDecoder();
    const chunks: string[] = [];
    for await (const chunk of (await post(url)).body ?? []) chunks.push(decoder.decode(chunk));
    expect(chunks).toEqual(['abc', 'd']);
  });

  const text = 'It may rain in the afternoon. '.repeat(5000);
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['gzip, BR', brotliCompressSync(gzipSync(text))],
    ['unknown', Buffer.from(text)],
  ])('is decoded when it is %s', async (encoding, bytes) => {
    const { url } = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes));
    expect(await (await post(url)).text()).toBe(text);
  });

  it('of a stream is decoded as it arrives', async () => {
    const whole = gzipSync('one two', { flush: 2 } as never);
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      // Without the end.
      response.write(whole.subarray(0, -8));
    });
    const reader = (await post(url)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one two');
    await reader?.cancel();
  });

  it('fails with too many encodings, and with bytes that are not encoded so', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'content-encoding': request.headers.mark as string }).end('plain');
    });
    await expect(post(url, { headers: { mark: 'gzip,'.repeat(6) } })).rejects.toThrow(TypeError);
    await expect((await post(url, { headers: { mark: 'gzip' } })).text()).rejects.toThrow();
  });

  it('fails when the connection breaks, with what is the cause', async () => {
    const whole = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n';
    const response = await post(await serveRaw(whole, 'start'));
    await expect(response.text()).rejects.toMatchObject({
      name: 'TypeError',
      message: 'terminated',
      cause: { code: 'UND_ERR_SOCKET' },
    });
    const { port } = await serveRaw('');
    await expect(post(new URL(`http://127.0.0.1:${port}`))).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'UND_ERR_SOCKET' },
    });
  });

  it('has its sender wait for its reader', async () => {
    const size = 50_000_000;
    const { url, sockets } = await serve((_, response) => response.end(Buffer.alloc(size)));
    const response = await post(url);
    const sent = () => sockets[0]?.bytesWritten ?? 0;
    const waiting = () => (sockets[0]?.writableLength ?? 0) > 0;
    await expect.poll(waiting).toBe(true);
    await delay(100);
    expect(waiting()).toBe(true);
    let received = 0;
    let largest = 0;
    for await (const chunk of response.body ?? []) {
      received += chunk.byteLength;
      largest = Math.max(largest, chunk.byteLength);
    }
    expect([received, sent() >= size]).toEqual([size, true]);
    // What one read of the socket brings at most.
    expect(largest).toBeLessThan(1_000_000);
  });
});

describe('the connection', () => {
  it('serves the next request when a short response was not read', async () => {
    const { url, sockets } = await serve((_, response) => response.end('x'.repeat(1000)));
    for (let times = 0; times < 3; times += 1) {
      await post(url);
      await delay(20);
    }
    expect(sockets).toHaveLength(1);
  });

  it.each(['cancelled', 'dropped'])('is closed when a long response is %s', async (how) => {
    const { url, sockets } = await serve((_, response) => void response.write(Buffer.alloc(50_000_000)));
    const isClosed = () => sockets[0]?.closed === true;
    if (how === 'cancelled') await (await post(url)).body?.cancel();
    else await dropResponse(() => post(url), isClosed);
    await expect.poll(isClosed).toBe(true);
  });

  it('is closed by an abort, whose reason is the error', async () => {
    const { url, sockets } = await serve((request, response) => {
      if (request.headers.mark === 'body') response.write('start');
    });
    for (const mark of ['head', 'body']) {
      const end = new AbortController();
      const asked = post(url, { headers: { mark }, signal: end.signal });
      const text = mark === 'body' ? (await asked).text() : asked;
      const count = sockets.length;
      if (mark === 'head') await expect.poll(() => sockets.length).toBe(count || 1);
      const reason = new Error(`no ${mark}`);
      end.abort(reason);
      await expect(text).rejects.toBe(reason);
      await expect.poll(() => sockets.at(-1)?.closed).toBe(true);
    }
    await expect(post(url, { signal: AbortSignal.abort('early') })).rejects.toBe('early');
  });

  it('is not made when the request was given up before', async () => {
    const { url, sockets } = await serve((_, response) => response.end());
    const end = new AbortController();
    const asked = post(url, { signal: end.signal });
    end.abort(new Error('given up'));
    await expect(asked).rejects.toThrow('given up');
    await delay(50);
    expect(sockets.every(({ bytesRead }) => bytesRead === 0)).toBe(true);
    const { port } = url;
    await once(connect(Number(port), '127.0.0.1').end(), 'close');
  });

  it('leaves no listener on the signal', async () => {
    const { url } = await serve((_, response) => response.end('x'));
    const { signal } = new AbortController();
    let listeners = 0;
    signal.addEventListener = () => {
      listeners += 1;
    };
    signal.removeEventListener = () => {
      listeners -= 1;
    };
    await (await post(url, { signal })).text();
    expect(listeners).toBe(0);
  });
});

/** Gets a response, forgets it, and collects garbage until something happens. */
async function dropResponse(ask: () => Promise<Response>, hasHappened: () => boolean): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await (async () => {
    expect((await ask()).status).toBe(200);
  })();
  for (let times = 0; times < 50 && !hasHappened(); times += 1) {
    collect();
    await delay(20);
  }
}
