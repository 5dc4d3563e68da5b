import type { LoginStep } from '@parley/sdk';
import { afterAll, expect, it } from 'vitest';
import { badCredentials } from '../../../../test/factories/every-credential.ts';
import { createFakePlatform } from '../../../../test/factories/fake-platform.ts';
import { startTestService } from '../../../../test/factories/start-test-service.ts';

const secret = 'a token that must stay secret';
const fake = createFakePlatform();
const given: Record<string, unknown>[] = [];
const login = { label: { en_US: 'Sign in' }, description: { en_US: 'Scan a code.' } };
Object.assign(fake.platform, { login, testable: true });
fake.implementation.login = async function* (config): AsyncIterable<LoginStep> {
  given.push(config);
  yield { state: 'waiting', url: 'https://example.com/code', expires_at: '2030-01-01T00:00:00.000Z' };
  if (config.nickname === 'waits') await new Promise(() => {});
  yield { state: 'done', config: { token: secret, nickname: 'Parrot' }, account: { id: '5', name: '@parrot' } };
};
fake.implementation.test = async ({ token }) => ({ id: token === secret ? 'right' : 'wrong', name: null });
const service = await startTestService({ extensions: { platforms: [fake.platform] }, listen: false });
const bearer = service.account.token;
const logins = '/api/v1/platform/adapters/fake/login';
const bots = '/api/v1/platform/bots';
afterAll(() => service.stop());

const call = async (method: string, url: string, json?: object) => {
  const answer = await service.request({ method, url, bearer, ...(json === undefined ? {} : { json }) });
  expect(answer.text).not.toContain(secret);
  return answer;
};
async function finished() {
  const started = await call('POST', logins, { adapter_config: { server: 'https://example.com', token: 'typed' } });
  expect(started.status, started.text).toBe(200);
  const { id } = started.body.data;
  await expect.poll(async () => (await call('GET', `${logins}/${id}`)).body.data.state).toBe('done');
  return (await call('GET', `${logins}/${id}`)).body.data;
}
const storedToken = () => fake.adapters.at(-1)?.config.token;

it('a bot is created with a sign-in, whose secrets no response contains', async () => {
  const { id, ...view } = await finished();
  expect(view).toEqual({
    state: 'done',
    url: null,
    expires_at: null,
    message: null,
    adapter_config: { token: expect.stringContaining('…'), nickname: 'Parrot' },
    account_id: '5',
    account_name: '@parrot',
  });
  // Secrets that were typed are not handed to it.
  expect(given.at(-1)).toMatchObject({ server: 'https://example.com', token: '', nickname: 'fake' });
  const adapter_config = { server: 'https://example.com', ...view.adapter_config };
  const body = { name: 'Bot', adapter: 'fake', adapter_config, enable: true, login_id: id };
  const tested = await call('POST', '/api/v1/platform/adapters/fake/test', { adapter_config, login_id: id });
  expect(tested.body.data.account_id).toBe('right');
  expect((await call('POST', bots, { ...body, name: '' })).status).toBe(400);
  const created = await call('POST', bots, body);
  expect(created.status, created.text).toBe(200);
  expect(storedToken()).toBe(secret);
  const again = await call('POST', bots, body);
  expect([again.status, again.body.details?.[0]?.path]).toEqual([400, 'login_id']);
  expect((await call('GET', `${logins}/${id}`)).status).toBe(404);
});

it('a bot is changed with a sign-in, and a masked secret of its own stays', async () => {
  const first = { token: 'an older token', limits: { key: 'a key of some length' } };
  const body = { name: 'Other', adapter: 'fake', adapter_config: first, enable: true };
  const { uuid } = (await call('POST', bots, body)).body.data;
  const { bot } = (await call('GET', `${bots}/${uuid}`)).body.data;
  const started = await call('POST', logins, { adapter_config: bot.adapter_config });
  const { id } = started.body.data;
  await expect.poll(async () => (await call('GET', `${logins}/${id}`)).body.data.state).toBe('done');
  const view = (await call('GET', `${logins}/${id}`)).body.data;
  const adapter_config = { ...bot.adapter_config, ...view.adapter_config };
  expect((await call('PUT', `${bots}/${uuid}`, { login_id: id })).status).toBe(400);
  const changed = await call('PUT', `${bots}/${uuid}`, { adapter_config, login_id: id });
  expect(changed.status, changed.text).toBe(200);
  expect(fake.adapters.at(-1)?.config).toMatchObject({ token: secret, limits: { key: 'a key of some length' } });
});

it('a sign-in is cancelled', async () => {
  const { id } = (await call('POST', logins, { adapter_config: { nickname: 'waits' } })).body.data;
  await expect.poll(async () => (await call('GET', `${logins}/${id}`)).body.data.url).toBe('https://example.com/code');
  expect((await call('DELETE', `${logins}/${id}`)).status).toBe(200);
  expect((await call('GET', `${logins}/${id}`)).status).toBe(404);
  expect((await call('DELETE', `${logins}/${id}`)).status).toBe(404);
});

it('is offered with its texts, and not by platforms without one', async () => {
  const adapter = (name: string) => call('GET', `/api/v1/platform/adapters/${name}`);
  expect((await adapter('fake')).body.data.adapter.spec.login).toEqual(login);
  expect((await adapter('telegram')).body.data.adapter.spec).not.toHaveProperty('login');
  const none = await call('POST', '/api/v1/platform/adapters/telegram/login', { adapter_config: {} });
  expect([none.status, none.body.reason]).toEqual([409, 'conflict']);
  expect((await call('POST', '/api/v1/platform/adapters/unknown/login', { adapter_config: {} })).status).toBe(404);
  expect((await call('POST', logins, { adapter_config: 'x' })).status).toBe(400);
  const unknown = { name: 'B', adapter: 'fake', adapter_config: {}, login_id: 'unknown' };
  expect((await call('POST', bots, unknown)).status).toBe(400);
});

it.each(badCredentials)('answers 401 to %s', async (_name, part) => {
  for (const [method, url] of [
    ['POST', logins],
    ['GET', `${logins}/x`],
    ['DELETE', `${logins}/x`],
  ] as const) {
    expect((await service.request({ method, url, ...part, json: { adapter_config: {} } })).status).toBe(401);
  }
});
