import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../src/lib/uuid.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { type HalfSentRequest, sendHalf } from '../factories/half-sent-request.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

const fake = createFakePlatform({ webhook: true });
const deaf = createFakePlatform({ name: 'deaf' });
const [bot, disabled, deafBot] = [newUuid(), newUuid(), newUuid()];
const json = { 'content-type': 'application/json' };

let service: TestService;
const requests: HalfSentRequest[] = [];
/** The server's side of the connection that was made last. */
let connection: Socket | null;
beforeEach(async () => {
  fake.answer = async () => ({ status: 200 });
  service = await startTestService({
    extensions: { platforms: [fake.platform, deaf.platform] },
    // Large bodies of callers without a credential have a quarter of it: 1 MB.
    config: { maxOpenBodyMegabytes: 4, maxConnections: 100 },
    bots: [
      { adapter: 'fake', uuid: bot },
      { adapter: 'fake', uuid: disabled, enable: false },
      { adapter: 'deaf', uuid: deafBot },
    ],
  });
  connection = null;
  service.service.server.server.on('connection', (socket) => {
    connection = socket;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const { socket } of requests.splice(0)) socket.destroy();
  await service.stop();
});

async function half(...parameters: Parameters<typeof sendHalf> extends [string, ...infer Rest] ? Rest : never) {
  const request = await sendHalf(service.address, ...parameters);
  requests.push(request);
  return request;
}
const received = (bytes: number) => eventually(() => connection?.bytesRead).toBeGreaterThan(bytes);
const eventually = <Value>(actual: () => Value) => expect.poll(actual);

describe('a caller without a credential', () => {
  it.each(['auth', 'init', 'reset-password'])('sends at most 16 KB to /user/%s', async (name) => {
    const url = `/api/v1/user/${name}`;
    const body = (bytes: number) => `{"user":"${'a'.repeat(bytes - 11)}"}`;
    const largest = await service.request({ method: 'POST', url, payload: body(16_384), headers: json });
    expect([largest.status, largest.body.reason]).toEqual([400, 'invalid_request']);
    const declared = await half(url, { ...json, 'content-length': 16_385 });
    await eventually(declared.answer).toMatch(/^HTTP\/1\.1 413 /);
    await eventually(declared.closed).toBe(true);
    const chunked = await half(url, { ...json, 'transfer-encoding': 'chunked' }, `8000\r\n${'a'.repeat(0x8000)}\r\n`);
    await eventually(chunked.answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ['an unknown bot', '/bots/00000000-0000-4000-8000-000000000000', 404],
    ['no bot', '/bots/nothing', 404],
    ['a disabled bot', `/bots/${disabled}`, 403],
    ['a bot without a webhook', `/bots/${deafBot}/events`, 501],
    ['an unknown path', '/nothing', 404],
    ['a path without the method', '/healthz', 405],
  ])('is refused before a body for %s is read', async (_name, path, status) => {
    const request = await half(path, { ...json, 'content-length': 1_000_001 }, 'a');
    await eventually(request.answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    await eventually(request.closed).toBe(true);
  });

  it('does not hold memory with bodies that never end: the one that began first gives way', async () => {
    const begin = () => half(`/bots/${bot}`, { 'content-length': 500_000 }, Buffer.alloc(400_000, 'a'));
    const begun = performance.now();
    const first = await begin();
    await received(400_000);
    const second = await begin();
    await received(400_000);
    expect([first.answer(), second.answer()]).toEqual(['', '']);
    const third = await begin();
    await eventually(first.answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*"reason":"overloaded"/i);
    // Not at once: a flood of bodies is taken at a bounded pace.
    expect(performance.now() - begun).toBeGreaterThan(500);
    await eventually(first.closed).toBe(true);
    for (const { socket } of [second, third]) socket.write(Buffer.alloc(100_000, 'a'));
    for (const { answer } of [second, third]) await eventually(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('has little of a body read while there is no room for all of it', async () => {
    await half(`/bots/${bot}`, { 'content-length': 1_000_000 });
    await received(0);
    const holder = connection;
    const { socket, answer, closed } = await half(`/bots/${bot}`, { 'content-length': 1_000_000 });
    await eventually(() => connection !== holder && connection?.bytesRead).toBeGreaterThan(0);
    const waiting = connection;
    const before = performance.now();
    socket.write(Buffer.alloc(900_000, 'a'));
    // Buffered by the connection; the rest stays with the sender until there is space.
    while (performance.now() - before < 300) {
      expect(waiting?.bytesRead).toBeLessThan(300_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => waiting?.bytesRead).toBeGreaterThan(900_000);
    expect([answer(), closed()]).toEqual(['', false]);
    socket.write(Buffer.alloc(100_000, 'a'));
    await eventually(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('waits in a bounded queue: the first give way, and the last is read next', async () => {
    const held: HalfSentRequest[] = [];
    for (let index = 0; index < 90; index += 1) held.push(await half(`/bots/${bot}`, { 'content-length': 1_000_000 }));
    // One is being read and 64 wait; the others were refused as the queue filled up.
    const refused = () => held.map(({ answer }) => answer().includes(' 503 '));
    await eventually(() => refused().filter(Boolean).length).toBeGreaterThanOrEqual(25);
    expect(refused().slice(-60)).not.toContain(true);
    const last = held.at(-1) as HalfSentRequest;
    last.socket.write(Buffer.alloc(1_000_000, 'a'));
    await eventually(last.answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(refused().slice(-60)).not.toContain(true);
  });

  it('is heard while others hold bodies open', async () => {
    const held: HalfSentRequest[] = [];
    for (let index = 0; index < 20; index += 1) {
      held.push(await half(`/bots/${bot}`, { 'content-length': 1_000_001 }, Buffer.alloc(200_000, 'a')));
    }
    const { user, password } = service.account;
    for (let index = 0; index < 12; index += 1) {
      const posted = await fetch(`${service.address}/bots/${bot}`, { method: 'POST', body: 'a'.repeat(100_000) });
      expect(posted.status).toBe(200);
      const signedIn = await fetch(`${service.address}/api/v1/user/auth`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ user, password }),
      });
      expect(signedIn.status).toBe(200);
    }
    await eventually(() => held.filter(({ answer }) => answer().includes(' 503 ')).length).toBeGreaterThan(10);
  });

  it('gives its room back when it goes away', async () => {
    for (let index = 0; index < 5; index += 1) {
      const request = await half(`/bots/${bot}`, { 'content-length': 1_000_001 }, Buffer.alloc(900_000, 'a'));
      await received(900_000);
      request.socket.destroy();
      await eventually(() => connection?.destroyed).toBe(true);
    }
    expect((await fetch(`${service.address}/bots/${bot}`, { method: 'POST', body: 'a' })).status).toBe(200);
  });
});

describe('a connection', () => {
  it('is closed at once when there are as many as the settings allow', async () => {
    const { hostname, port } = new URL(service.address);
    const open = async () => {
      const socket = connect({ host: hostname, port: Number(port) });
      await once(socket, 'connect');
      return socket;
    };
    const sockets: Socket[] = [];
    for (let index = 0; index < 100; index += 1) sockets.push(await open());
    const refused = await open();
    await once(
      refused.resume().on('error', () => {}),
      'close',
    );
    sockets[0]?.destroy();
    await expect
      .poll(() =>
        fetch(`${service.address}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('has 30 seconds for a request, headers and body together', () => {
    const { headersTimeout, requestTimeout, maxConnections } = service.service.server.server;
    expect({ headersTimeout, requestTimeout, maxConnections }).toEqual({
      headersTimeout: 30_000,
      requestTimeout: 30_000,
      maxConnections: 100,
    });
  });
});

/** What Node.js does with a connection whose request did not arrive in time. */
const expire = (socket: Socket | null) => {
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  service.service.server.server.emit('clientError', error, socket);
};

describe('a body that did not arrive in 30 seconds', () => {
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

  it.each<[string, string, (token: string) => Record<string, string | number>]>([
    ['of an open route', `/bots/${bot}`, () => ({ 'content-length': 100 })],
    ['of an account route', '/api/v1/user/auth', () => ({ ...json, 'content-length': 100 })],
    ['of another route', '/api/v1/pipelines', (token) => ({ ...json, ...bearer(token), 'content-length': 100 })],
    ['of 1 MB', '/v1/responses', (token) => ({ ...json, ...bearer(token), 'content-length': 1_048_576 })],
  ])('%s is refused', async (_name, path, headers) => {
    const request = await half(path, headers(service.account.token), '--b\r\n');
    await received(5);
    expire(connection);
    await eventually(request.answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*The request did not arrive in time/);
    await eventually(request.closed).toBe(true);
  });

  it.each<[string, string, (token: string) => Record<string, string | number>]>([
    ['of more than 1 MB', '/v1/responses', (token) => ({ ...json, ...bearer(token), 'content-length': 1_048_577 })],
    [
      'of an upload',
      '/api/v1/files/documents',
      (token) => ({ ...multipart, ...bearer(token), 'content-length': 1000 }),
    ],
  ])('%s has 300 seconds in all', async (_name, path, headers) => {
    const request = await half(path, headers(service.account.token), '--b\r\n');
    await received(5);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expire(connection);
    const [[end]] = timers.mock.calls.filter(([, delay]) => delay === 270_000) as [[() => void]];
    expect([request.answer(), request.closed()]).toEqual(['', false]);
    end();
    await eventually(request.answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*The request did not arrive in time/);
    await eventually(request.closed).toBe(true);
  });
});

it('bodies with a credential have bounds of their own', async () => {
  const headers = { ...json, authorization: `Bearer ${service.account.token}`, 'content-length': 500_000 };
  const held: HalfSentRequest[] = [];
  for (let index = 0; index < 9; index += 1) {
    held.push(await half('/api/v1/pipelines', headers, Buffer.alloc(400_000, ' ')));
  }
  const [first, ...others] = held as [HalfSentRequest, ...HalfSentRequest[]];
  await eventually(first.answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*"reason":"overloaded"/);
  expect(others.map(({ answer }) => answer()).join('')).toBe('');
  // Those without one are not in their way, nor the other way round.
  const anonymous = await fetch(`${service.address}/bots/${bot}`, { method: 'POST', body: 'a'.repeat(500_000) });
  expect(anonymous.status).toBe(200);
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
