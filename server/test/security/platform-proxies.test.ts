import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProxyAddress } from '@parley/sdk';
import { type ConnectProxy, startConnectProxy } from '@parley/sdk/testing';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';

const password = 'p4ssw0rd-of-the-proxy';
const fake = createFakePlatform();
Object.assign(fake.platform, {
  config: Type.Object({ ...fake.platform.config.properties, proxy: ProxyAddress() }),
});
const telegram = await startFakeTelegram();

let service: TestService;
let proxy: ConnectProxy;
let general: ConnectProxy;
let target: Server;
let origin: string;
let withoutAdmin: string;
let requests: string[];
beforeAll(async () => {
  [proxy, general] = await Promise.all([startConnectProxy(`user:${password}`), startConnectProxy()]);
  target = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.setHeader('connection', 'close');
    response.end('hello');
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  origin = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  service = await startTestService({
    extensions: { platforms: [fake.platform] },
    config: { platformProxy: general.url },
  });
  withoutAdmin = (await service.createApiKey()).key;
});
beforeEach(() => {
  requests = [];
  proxy.targets.length = 0;
  general.targets.length = 0;
});
afterAll(async () => {
  await service.stop();
  await Promise.all([proxy.close(), general.close(), telegram.close()]);
  target.close();
});

const url = (account = `user:${password}@`) => proxy.url.replace('://', `://${account}`);
const asAdmin = () => ({ bearer: service.account.token });
const bots = '/api/v1/platform/bots';
const make = (adapter_config: object, caller: object = asAdmin(), adapter = 'fake') =>
  service.request({
    method: 'POST',
    url: bots,
    ...caller,
    json: { name: 'Bot', adapter, adapter_config, enable: true },
  });
const change = (uuid: string, adapter_config: object, caller: object = asAdmin()) =>
  service.request({ method: 'PUT', url: `${bots}/${uuid}`, ...caller, json: { adapter_config } });
const contextOf = (uuid: string) => {
  const adapter = fake.adapters.findLast(({ context }) => context.bot_uuid === uuid);
  if (adapter === undefined) throw new Error('the bot is not connected');
  return adapter.context;
};

it('a proxy is used for the address of the platform, not for content, and never for a refused address', async () => {
  const { uuid } = (await make({ server: origin, proxy: url() })).body.data;
  const context = contextOf(uuid);
  expect(await (await context.fetch(`${origin}/api`)).text()).toBe('hello');
  const { host } = new URL(origin);
  expect([proxy.targets, requests]).toEqual([[host], ['/api']]);
  const refused: (() => Promise<unknown>)[] = [
    () => context.fetchContent(`${origin}/content`),
    () => context.fetch('http://169.254.169.254/latest/meta-data'),
    () => context.fetch('http://127.0.0.1:40001/'),
    () => context.fetch('http://localhost:40001/'),
    () => context.openSocket('ws://127.0.0.1:40001/', { signal: AbortSignal.timeout(5000) }),
  ];
  for (const attempt of refused) await expect(attempt()).rejects.toMatchObject({ reason: 'address_not_allowed' });
  expect([proxy.targets, general.targets, requests]).toEqual([[host], [], ['/api']]);
});

it('the proxy of all bots is used by those that have none', async () => {
  const { uuid } = (await make({ server: origin })).body.data;
  await contextOf(uuid).fetch(`${origin}/api`);
  expect([general.targets.length, proxy.targets.length]).toEqual([1, 0]);
  const status = await service.request({ url: '/api/v1/system/status', ...asAdmin() });
  expect(status.text).not.toContain(general.url);
});

it('a proxy in a private network is refused from a key without `admin`, also behind a mask', async () => {
  const caller = { apiKey: withoutAdmin };
  const details = [{ path: 'adapter_config.proxy', message: 'is in a private network' }];
  const refused = { status: 403, body: { reason: 'private_address', details } };
  expect(await make({ proxy: url() }, caller)).toMatchObject(refused);
  const test = { method: 'POST', url: '/api/v1/platform/adapters/telegram/test', ...caller };
  expect(await service.request({ ...test, json: { adapter_config: { token: '1:a', proxy: url() } } })).toMatchObject(
    refused,
  );
  const { uuid } = (await make({ proxy: 'http://proxy.example:3128' }, caller)).body.data;
  expect(await change(uuid, { proxy: url() }, caller)).toMatchObject(refused);
  // What an admin saved stays when others save something else of the bot.
  const saved = (await make({ server: origin, proxy: url() })).body.data.uuid;
  const shown = (await service.request({ url: `${bots}/${saved}`, ...asAdmin() })).body.data.bot.adapter_config;
  expect((await change(saved, { ...shown, nickname: 'other' }, caller)).status).toBe(200);
  await expect
    .poll(() =>
      contextOf(saved)
        .fetch(`${origin}/again`)
        .then(({ status }) => status),
    )
    .toBe(200);
});

it('an account of a proxy is stored encrypted, shown masked and not named in errors', async () => {
  const { uuid } = (await make({ server: origin, proxy: url() })).body.data;
  const shown = await service.request({ url: `${bots}/${uuid}`, ...asAdmin() });
  expect(shown.body.data.bot.adapter_config.proxy).toBe(`htt…${proxy.url.slice(-4)}`);
  const row = await service.database.selectFrom('bots').selectAll().where('uuid', '=', uuid).executeTakeFirst();
  expect(JSON.stringify(row)).not.toContain(password);
  const wrong = 'wr0ng-password';
  const answer = await service.request({
    method: 'POST',
    url: '/api/v1/platform/adapters/telegram/test',
    ...asAdmin(),
    json: {
      adapter_config: { token: telegram.token, api_base_url: telegram.apiBaseUrl, proxy: url(`user:${wrong}@`) },
    },
  });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.msg).toContain(`The proxy ${proxy.url} refused the connection with status 407`);
  expect(answer.text).not.toContain(wrong);
  expect(proxy.targets).toHaveLength(1);
});

it('a proxy cannot be changed to read a stored secret that is sent without encryption', async () => {
  const token = 'a token of some length';
  const { uuid } = (await make({ token, server: origin, proxy: url() })).body.data;
  const { adapter_config: shown } = (await service.request({ url: `${bots}/${uuid}`, ...asAdmin() })).body.data.bot;
  for (const other of ['http://evil.example:3128', url('other:account@')]) {
    expect(await change(uuid, { ...shown, proxy: other })).toMatchObject({
      body: { reason: 'secret_required', details: [{ path: 'adapter_config.token' }] },
    });
  }
  for (const good of [shown, { ...shown, proxy: url() }, { ...shown, token, proxy: url('a:b@') }]) {
    expect((await change(uuid, good)).status).toBe(200);
  }
  const secure = (await make({ token, server: 'https://platform.example', proxy: url() })).body.data.uuid;
  const stored = (await service.request({ url: `${bots}/${secure}`, ...asAdmin() })).body.data.bot.adapter_config;
  expect((await change(secure, { ...stored, proxy: 'http://other.example:3128' })).status).toBe(200);
});

it.each([
  'proxy.example:3128',
  'socks5://proxy.example',
  'http://proxy.example/path',
  ' ',
  'http://a\r\nb',
  'http://…',
])('the proxy %j is refused when it is saved', async (text) => {
  const answer = await make({ proxy: text });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body.details).toMatchObject([{ path: 'adapter_config.proxy' }]);
});
