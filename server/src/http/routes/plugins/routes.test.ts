import { afterAll, expect, it } from 'vitest';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const service = await startTestService({ listen: false });
const bearer = service.account.token;

afterAll(() => service.stop());

it.each([
  ['', { plugins: [] }],
  ['/debug-info', { debug_url: '', plugin_debug_key: '' }],
])('GET /api/v1/plugins%s is empty', async (path, data) => {
  const answer = await service.request({ url: `/api/v1/plugins${path}`, bearer });
  expect(answer.body).toEqual({ code: 0, msg: 'ok', data });
});

it('tells about debugging only administrators', async () => {
  const { key: apiKey } = await service.createApiKey(['read']);
  expect((await service.request({ url: '/api/v1/plugins', apiKey })).status).toBe(200);
  expect((await service.request({ url: '/api/v1/plugins/debug-info', apiKey })).status).toBe(403);
});

it.each([
  ['GET', 'ann/weather', 404],
  ['GET', 'ann/weather/config', 404],
  ['GET', 'ann/weather/readme?language=zh_Hans', 404],
  ['GET', 'ann/weather/icon', 404],
  ['GET', 'ann/weather/assets/a.png', 404],
  ['GET', 'ann%2F..%2F/..%5c', 404],
  ['DELETE', 'ann/weather', 405],
  ['PUT', 'ann/weather/config', 405],
  ['POST', 'ann/weather/upgrade', 404],
  ['POST', 'install/github', 405],
  ['POST', 'github/releases', 405],
  ['POST', 'config-files', 404],
])('has no %s of %s', async (method, path, status) => {
  const answer = await service.request({ method, url: `/api/v1/plugins/${path}`, bearer });
  expect([answer.status, answer.body.code]).toEqual([status, -1]);
});
