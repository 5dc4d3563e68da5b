import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
} from '../../test/factories/start-test-service.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A service that ends with the test. */
async function begin(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService({ listen: false, account: false, ...options });
  stops.push(() => service.stop());
  return service;
}

const url = '/api/v1/system/info';

describe('on a loopback address', () => {
  it.each(['localhost', 'localhost:5300', '127.0.0.1', '127.0.0.1:1', '127.9.9.9', '[::1]:5300', 'LOCALHOST'])(
    'answers the host %s',
    async (host) => {
      const service = await begin();
      expect((await service.request({ url, headers: { host } })).status).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1:5300',
    '0.0.0.0',
    'a b',
    ' ',
    '@localhost:80@evil.example',
    '2130706433.example',
  ])('refuses the host %j, which may be a name that a page elsewhere points here', async (host) => {
    const service = await begin();
    for (const path of [url, '/', '/healthz', '/api/v1/pipelines', '/nothing']) {
      const answer = await service.request({ url: path, headers: { host } });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: -1, reason: 'unknown_host' });
    }
  });

  it('answers the host of its public address', async () => {
    const service = await begin({ config: { publicUrl: 'https://bots.example.com/parley' } });
    expect((await service.request({ url, headers: { host: 'bots.example.com' } })).status).toBe(200);
    expect((await service.request({ url, headers: { host: 'BOTS.example.com:443' } })).status).toBe(200);
    expect((await service.request({ url, headers: { host: 'other.example.com' } })).status).toBe(403);
  });
});

it('answers every host on an address that networks reach', async () => {
  const service = await begin({ config: { host: '0.0.0.0' } });
  expect((await service.request({ url, headers: { host: 'bots.example.com' } })).status).toBe(200);
});

describe('every answer', () => {
  it.each([url, '/', '/docs', '/healthz', '/api/v1/pipelines', '/nothing.png', '/api/v1/nothing', '/%'])(
    'to %s tells browsers not to guess, not to frame and not to tell where they came from',
    async (path) => {
      const service = await begin();
      const { headers } = await service.request({ url: path });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['strict-transport-security']).toBeUndefined();
    },
  );

  it('asks for https where the public address has it', async () => {
    const service = await begin({ config: { publicUrl: 'https://bots.example.com' } });
    expect((await service.request({ url })).headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
  });

  it('that is a refusal has an identifier of its own', async () => {
    const service = await begin();
    const [first, second] = [
      await service.request({ url: '/api/v1/pipelines' }),
      await service.request({ url: '/api/v1/pipelines' }),
    ];
    expect(first.body.request_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.body.request_id).not.toBe(first.body.request_id);
    const named = await service.request({
      url: '/api/v1/pipelines',
      headers: { 'request-id': 'mine', 'x-request-id': 'mine' },
    });
    expect(named.body.request_id).not.toBe('mine');
  });
});

describe('pages of other sites', () => {
  const origin = 'https://chat.example.com';
  const preflight = {
    method: 'OPTIONS',
    url: '/api/v1/pipelines',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  };

  it('may not call the server', async () => {
    const service = await begin();
    expect((await service.request(preflight)).headers['access-control-allow-origin']).toBeUndefined();
    const answer = await service.request({ url, headers: { origin } });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('may where they are named, and without the cookie', async () => {
    const service = await begin({ config: { corsOrigins: [origin] } });
    const answer = await service.request(preflight);
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const refused = await service.request({ url: '/api/v1/pipelines', headers: { origin } });
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
    const other = await service.request({ url, headers: { origin: 'https://evil.example' } });
    expect(other.headers['access-control-allow-origin']).not.toBe('https://evil.example');
  });
});

describe('the address of a caller', () => {
  const guess = (service: TestService, forwarded: string, remoteAddress: string) =>
    service.request({
      method: 'POST',
      url: '/api/v1/user/auth',
      json: { user: `person at ${forwarded}`, password: 'a wrong password' },
      headers: { 'x-forwarded-for': forwarded },
      remoteAddress,
    });

  it('is not what the caller says', async () => {
    const service = await begin();
    const statuses: number[] = [];
    for (let index = 0; index < 21; index += 1) {
      statuses.push((await guess(service, `203.0.113.${index}`, '198.51.100.1')).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 400));
    expect(statuses[20]).toBe(429);
  });

  it('is what a trusted proxy says, and nothing before that', async () => {
    const service = await begin({ config: { trustedProxies: ['10.0.0.0/8'] } });
    const statuses: number[] = [];
    for (let index = 0; index < 21; index += 1) {
      statuses.push((await guess(service, `203.0.113.${index}, 198.51.100.1`, '10.1.2.3')).status);
    }
    expect(statuses[20]).toBe(429);
    expect((await guess(service, '203.0.113.1, 198.51.100.2', '10.1.2.3')).status).toBe(400);
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['noise', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 400, 'invalid_request'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.7\r\n\r\n', 400, 'invalid_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'invalid_request',
    ],
    ['endless headers', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 413, 'too_large'],
  ])('is answered like everything else: %s', async (_name, text, status, reason) => {
    const service = await begin({ listen: true });
    const { hostname, port } = new URL(service.address);
    const client = createConnection({ host: hostname, port: Number(port) });
    const pieces: Buffer[] = [];
    client.on('data', (piece: Buffer) => pieces.push(piece));
    client.on('error', () => {});
    client.write(text);
    await once(client, 'close');
    const [head = '', body = ''] = Buffer.concat(pieces).toString().split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body)).toEqual({ code: -1, msg: expect.any(String), reason, request_id: expect.any(String) });
  });
});

describe('a fault of ours', () => {
  it('tells nothing of its inside', async () => {
    const service = await begin({ account: true });
    await service.database.schema.dropTable('api_keys').execute();
    const { server } = service.service;
    const headers = { authorization: `Bearer ${service.account.token}` };
    const answer = await server.inject({ url: '/api/v1/apikeys', headers });
    expect(answer.statusCode).toBe(500);
    const request_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(answer.json()).toEqual({ code: -2, msg: 'An unexpected fault', reason: 'internal', request_id });
  });
});
