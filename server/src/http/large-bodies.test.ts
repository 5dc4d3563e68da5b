import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorAnswer } from './error-mapping.ts';
import { type LargeBodyLimits, limitLargeBodies } from './large-bodies.ts';
import { RequestTimes } from './request-timeouts.ts';

const defaults = 1000;
const size = 5000;
const body = JSON.stringify({ text: 'a'.repeat(size - 11) });

let server: FastifyInstance;
let port: number;
/** Bodies that arrived, by their first field. */
let handled: string[];
const sockets: Socket[] = [];
beforeEach(() => {
  handled = [];
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

async function start(limits: Partial<LargeBodyLimits> = {}, time = 60_000): Promise<void> {
  const times = new RequestTimes({ defaults: time / 2, large: time, largeBytes: defaults });
  server = Fastify({
    bodyLimit: defaults,
    forceCloseConnections: 'idle',
    http: { headersTimeout: time / 2, connectionsCheckingInterval: 20 },
    requestTimeout: time / 2,
    clientErrorHandler: times.handle,
  });
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, body: answer, retryAfterSeconds } = errorAnswer(error, request.id);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status).send(answer);
  });
  times.watch(server);
  limitLargeBodies(server, { defaults, concurrent: 2, waiting: 2, patience: 60_000, ...limits });
  const handler = async ({ url }: { url: string }) => {
    handled.push(url);
    return { ok: true };
  };
  server.post('/large', { bodyLimit: 10_000 }, handler);
  server.get('/large', { bodyLimit: 10_000 }, handler);
  server.post('/usual', handler);
  await server.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = server.server.address() as { port: number });
}

/** A request of which only the beginning of the body was sent. */
async function begin(name: string, over: { path?: string; framing?: string } = {}) {
  const { path = '/large', framing = `content-length: ${size}` } = over;
  const socket = createConnection(port, '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = `POST ${path}?${name} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
  socket.write(head);
  const isChunked = framing.startsWith('transfer');
  const write = (text: string) => socket.write(isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text);
  write(body.slice(0, 100));
  return {
    socket,
    answer: () => answer,
    finish: () => {
      write(body.slice(100));
      if (isChunked) socket.write('0\r\n\r\n');
    },
  };
}
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });
/** One that is surely behind what was sent before on other connections. */
async function passes(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/usual`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(response.status).toBe(200);
  handled.pop();
}

describe('large bodies', () => {
  it('are read a few at a time; the others wait for their turn, in order', async () => {
    await start();
    const first = await begin('1');
    await begin('2');
    await passes();
    const third = await begin('3');
    third.finish();
    await passes();
    const fourth = await begin('4', { framing: 'transfer-encoding: chunked' });
    fourth.finish();
    await passes();
    expect(handled).toEqual([]);
    first.finish();
    await eventually(() => handled).toEqual(['/large?1', '/large?3', '/large?4']);
    await eventually(() => fourth.answer()).toContain('200 OK');
  });

  it('hold up no small ones, and none that have no body', async () => {
    await start({ concurrent: 1, waiting: 0 });
    await begin('1');
    await passes();
    const small = await begin('2', { framing: 'content-length: 100' });
    await eventually(() => small.answer()).toContain('HTTP/1.1 400');
    expect((await fetch(`http://127.0.0.1:${port}/large?3`)).status).toBe(200);
  });

  it('are refused when too many wait, and when their turn does not come in time', async () => {
    await start({ concurrent: 1, waiting: 1, patience: 300 });
    await begin('1');
    await passes();
    const second = await begin('2');
    await passes();
    const third = await begin('3');
    await eventually(() => third.answer()).toMatch(/^HTTP\/1.1 429 [\s\S]*retry-after: 5[\s\S]*too_many_requests/i);
    expect(second.answer()).toBe('');
    await eventually(() => second.answer()).toContain('429');
    expect(handled).toEqual([]);
  });

  it('are refused without waiting when they are too large at all', async () => {
    await start({ concurrent: 1, waiting: 0 });
    await begin('1');
    const huge = await begin('2', { framing: 'content-length: 20000' });
    await eventually(() => huge.answer()).toContain('413');
  });

  it('give their turn back when their client goes away, while it waits or sends', async () => {
    await start({ concurrent: 1 });
    const first = await begin('1');
    await passes();
    const second = await begin('2');
    await passes();
    const third = await begin('3');
    third.finish();
    await passes();
    second.socket.destroy();
    await passes();
    expect(handled).toEqual([]);
    first.socket.destroy();
    await eventually(() => handled).toEqual(['/large?3']);
  });

  it('give their turn back when they do not arrive in time, or are no JSON', async () => {
    await start({ concurrent: 1 }, 200);
    const first = await begin('1');
    await eventually(() => first.answer()).toMatch(/400 Bad Request[\s\S]*did not arrive in time/);
    const broken = await begin('2');
    broken.socket.write('x'.repeat(size - 100));
    await eventually(() => broken.answer()).toMatch(/400 Bad Request[\s\S]*JSON/);
    const third = await begin('3');
    third.finish();
    await eventually(() => handled).toEqual(['/large?3']);
  });

  it('do not wait while the server stops', async () => {
    await start({ concurrent: 1 });
    const first = await begin('1');
    await passes();
    const second = await begin('2');
    await passes();
    const closing = server.close();
    await eventually(() => second.answer()).toContain('503');
    first.socket.destroy();
    second.socket.destroy();
    await closing;
    expect(handled).toEqual([]);
  });
});
