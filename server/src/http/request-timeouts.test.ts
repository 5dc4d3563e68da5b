import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HalfSentRequest, sendHalf } from '../../test/factories/half-sent-request.ts';
import { RequestTimes } from './request-timeouts.ts';

const timeouts = { defaults: 200, large: 600, largeBytes: 1000 };
const json = { 'content-type': 'application/json' };
/** Longer than any body has. */
const aWhile = 700;

let server: FastifyInstance;
let address: string;
const requests: HalfSentRequest[] = [];
beforeEach(async () => {
  const times = new RequestTimes(timeouts);
  server = Fastify({
    forceCloseConnections: 'idle',
    bodyLimit: timeouts.largeBytes,
    http: { headersTimeout: timeouts.defaults, connectionsCheckingInterval: 20 },
    requestTimeout: timeouts.defaults,
    clientErrorHandler: times.handle,
  });
  times.watch(server);
  server.post('/usual', async () => 'taken');
  server.post('/large', { bodyLimit: 5000 }, async () => 'taken');
  server.post('/slow', async () => {
    await delay(aWhile);
    return 'taken';
  });
  server.post(
    '/refused',
    { onRequest: async (_request, reply) => reply.code(401).send('refused') },
    async () => 'taken',
  );
  address = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const { socket } of requests.splice(0)) socket.destroy();
  await server.close();
});

async function half(path: string, length: number, beginning = '{') {
  const request = await sendHalf(address, path, { ...json, 'content-length': length }, beginning);
  requests.push(request);
  return request;
}
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { interval: 10 });

describe('a body that does not arrive', () => {
  it('ends its request in time', async () => {
    const begun = performance.now();
    const request = await half('/usual', 2);
    await eventually(request.closed).toBe(true);
    expect(request.answer()).toMatch(/^HTTP\/1\.1 400 [\s\S]*The request did not arrive in time/);
    expect(performance.now() - begun).toBeGreaterThan(timeouts.defaults - 10);
  });

  it('shares its time with the headers', async () => {
    const times = new RequestTimes({ ...timeouts, defaults: 1000 });
    const slow = Fastify({
      forceCloseConnections: true,
      http: { headersTimeout: 1000, connectionsCheckingInterval: 20 },
      requestTimeout: 1000,
      clientErrorHandler: times.handle,
    });
    times.watch(slow);
    slow.post('/usual', async () => 'taken');
    const { hostname, port } = new URL(await slow.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const begun = performance.now();
    socket.resume().write('POST /usual HTTP/1.1\r\nhost: x\r\n');
    await delay(800);
    socket.write('content-type: application/json\r\ncontent-length: 2\r\n\r\n{');
    await once(socket, 'close');
    expect(performance.now() - begun).toBeLessThan(1700);
    await slow.close();
  });

  it('has more time when it is large, and none more for saying that it is larger than the route takes', async () => {
    const ended: string[] = [];
    const follow = async (name: string, request: HalfSentRequest) => {
      await eventually(request.closed).toBe(true);
      ended.push(name);
    };
    await Promise.all([
      follow('large', await half('/large', 1001)),
      follow('small', await half('/large', 1000)),
      follow('too large', await half('/usual', 1001)),
    ]);
    expect(ended.at(-1)).toBe('large');
  });

  it('ends its connection, too, when the request was answered before', async () => {
    const request = await half('/refused', 2);
    await eventually(request.answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(request.closed()).toBe(false);
    await eventually(request.closed).toBe(true);
    expect(request.answer()).not.toContain('in time');
  });
});

describe('a body that arrived', () => {
  it('lets its request take as long as it needs', async () => {
    const request = await half('/slow', 2, '{}');
    await eventually(request.answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*taken$/);
  });

  it('leaves the connection to the next request', async () => {
    const request = await half('/usual', 2, '{}');
    await eventually(request.answer).toMatch(/taken$/);
    const later = await half('/usual', 2);
    await eventually(later.closed).toBe(true);
    request.socket.write(
      'POST /usual HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    );
    await eventually(() => request.answer().match(/taken/g)?.length).toBe(2);
  });
});
