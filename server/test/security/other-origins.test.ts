import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { loadConfig } from '../../src/config/index.ts';
import { startTestService } from '../factories/start-test-service.ts';

const service = await startTestService();
afterAll(() => service.stop());

const bearer = service.account.token;
const evil = 'https://evil.example';

it('the service listens on loopback by default, and allows no other site', () => {
  const { host, corsOrigins } = loadConfig({ environment: {}, workingDirectory: service.config.dataDir });
  expect({ host, corsOrigins }).toEqual({ host: '127.0.0.1', corsOrigins: [] });
});

describe('a page of another site', () => {
  it('reads no answer of any route', async () => {
    for (const { method, url } of service.service.inventory) {
      const path = url.replace(/:(\w+)/g, '00000000-0000-7000-8000-000000000000').replace('*', 'x');
      const answer = await service.request({ method, url: path, headers: { origin: evil } });
      const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
      expect([method, url, names]).toEqual([method, url, []]);
      expect([method, url, answer.headers['cross-origin-resource-policy']]).toEqual([method, url, 'same-origin']);
    }
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', ''])(
    'changes nothing with a request that needs no preflight: %j',
    async (type) => {
      const { user } = service.account;
      const posts = ['/api/v1/user/auth', '/api/v1/user/init', '/api/v1/user/reset-password', '/api/v1/apikeys'];
      for (const url of posts) {
        const headers = { origin: evil, ...(type === '' ? {} : { 'content-type': type }) };
        const payload = JSON.stringify({ user, password: service.account.password });
        const answer = await service.request({ method: 'POST', url, headers, payload });
        expect([401, 415]).toContain(answer.status);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '169.254.169.254', '0.0.0.0'])(
    'does not reach the service under a name of its own: %j',
    async (host) => {
      const answer = await service.request({ url: '/api/v1/pipelines', bearer, headers: { host } });
      expect([answer.status, answer.body.reason]).toEqual([403, 'unknown_host']);
    },
  );

  it('opens no web chat', async () => {
    const [pipeline] = (await service.request({ url: '/api/v1/pipelines', bearer })).body.data.pipelines;
    const address = `${service.address.replace('http', 'ws')}/api/v1/pipelines/${pipeline.uuid}/ws/connect`;
    for (const origin of [evil, 'null', 'http://127.0.0.1:1']) {
      const socket = new WebSocket(address, { origin, headers: { cookie: service.account.cookie } });
      const [, response] = await once(socket, 'unexpected-response');
      expect(response.statusCode).toBe(401);
      response.destroy();
    }
  });
});
