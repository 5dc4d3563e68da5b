import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentedFaults } from './documented-answers.ts';
import { createFakePlatform } from './fake-platform.ts';
import { SecretWatch } from './secret-watch.ts';
import { startTestService } from './start-test-service.ts';

test('a service for tests has an account, keys and bots, and leaves nothing behind', async () => {
  const fake = createFakePlatform();
  const service = await startTestService({
    extensions: { platforms: [fake.platform] },
    bots: [{ adapter: 'fake' }],
  });
  const { key } = await service.createApiKey(['read']);
  const answer = await service.request({
    url: '/api/v1/platform/bots',
    apiKey: key,
  });
  expect(answer.body.data.bots.map((bot: { adapter: string }) => bot.adapter)).toEqual(['websocket', 'fake']);
  expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
  await service.stop();
  expect(existsSync(service.config.dataDir)).toBe(false);
});

test('answers that differ from the description are found', () => {
  const ok = { code: 0, msg: 'ok', data: { initialized: true } };
  expect(documentedFaults('GET', '/api/v1/user/account-info?a=b', 200, ok)).toEqual([]);
  expect(
    documentedFaults('GET', '/api/v1/user/account-info', 200, {
      ...ok,
      more: 1,
    }),
  ).toHaveLength(1);
  expect(
    documentedFaults('GET', '/api/v1/user/account-info', 200, {
      code: 0,
      msg: 'ok',
      data: {},
    }),
  ).toHaveLength(1);
  expect(documentedFaults('GET', '/api/v1/user/account-info', 418, ok)).toHaveLength(1);
});

test('secrets that come back are found, wherever they stand', () => {
  const watch = new SecretWatch();
  watch.learn({
    data: { key: { key: 'lbk_0123456789', name: 'a long name of no secret' } },
  });
  watch.learn({
    api_keys: ['sk-0123456789ab'],
    password: 'short',
    token: 'lbk…6789 masked',
  });
  expect(watch.foundIn('{"msg":"sk-0123456789ab and lbk_0123456789"}')).toHaveLength(2);
  expect(watch.foundIn('{"msg":"a long name of no secret, short, lbk…6789 masked"}')).toEqual([]);
});
