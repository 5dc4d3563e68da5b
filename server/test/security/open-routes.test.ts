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
    config: { maxOpenBodyMegabytes: 1, maxConnections: 50 },
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
    const first = await begin();
    await received(400_000);
    const second = await begin();
    await received(400_000);
    expect([first.answer(), second.answer()]).toEqual(['', '']);
    const third = await begin();
    await eventually(first.answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*"reason":"overloaded"/i);
    await eventually(first.closed).toBe(true);
    for (const { socket } of [second, third]) socket.write(Buffer.alloc(100_000, 'a'));
    for (const { answer } of [second, third]) await eventually(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is heard while others hold bodies open', async () => {
    const held: HalfSentRequest[] = [];
    for (let index = 0; index < 20; index += 1) {
      held.push(await half(`/bots/${bot}`, { 'content-length': 1_000_001 }, Buffer.alloc(200_000, 'a')));
    }
    const { user, password } = service.account;
    for (let index = 0; index < 20; index += 1) {
      const posted = await fetch(`${service.address}/bots/${bot}`, { method: 'POST', body: 'a'.repeat(100_000) });
      expect(posted.status).toBe(200);
      const signedIn = await fetch(`${service.address}/api/v1/user/auth`, {
        ...{ method: 'POST', headers: json, body: JSON.stringify({ user, password }) },
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
    for (let index = 0; index < 50; index += 1) sockets.push(await open());
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

  it('has 30 seconds for its headers', () => {
    const { headersTimeout, requestTimeout, maxConnections } = service.service.server.server;
    expect({ headersTimeout, requestTimeout, maxConnections }).toEqual({
      headersTimeout: 30_000,
      requestTimeout: 300_000,
      maxConnections: 50,
    });
  });
});

describe('a body', () => {
  it.each<[string, number, string, (token: string) => Record<string, string | number>]>([
    ['of an open route', 30, `/bots/${bot}`, () => ({ 'content-length': 100 })],
    ['of an account route', 30, '/api/v1/user/auth', () => ({ ...json, 'content-length': 100 })],
    ['of another route', 30, '/api/v1/pipelines', (token) => ({ ...json, ...bearer(token), 'content-length': 100 })],
    ['of 1 MB', 30, '/v1/responses', (token) => ({ ...json, ...bearer(token), 'content-length': 1_048_576 })],
    [
      'of more than 1 MB',
      300,
      '/v1/responses',
      (token) => ({ ...json, ...bearer(token), 'content-length': 1_048_577 }),
    ],
    [
      'of an upload',
      300,
      '/api/v1/files/documents',
      (token) => ({ 'content-type': 'multipart/form-data; boundary=b', ...bearer(token), 'content-length': 1000 }),
    ],
  ])('%s has %i seconds', async (_name, seconds, path, headers) => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const request = await half(path, headers(service.account.token), '--b\r\n');
    const set = () => timers.mock.calls.filter(([, delay]) => delay === 30_000 || delay === 300_000);
    await eventually(set).toHaveLength(1);
    const [[expire, delay]] = set() as [[() => void, number]];
    expect([delay, request.answer(), request.closed()]).toEqual([seconds * 1000, '', false]);
    expire();
    await eventually(request.answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*The request did not arrive in time/);
    await eventually(request.closed).toBe(true);
  });
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
