import { Default } from 'typebox/value';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createLark } from './index.ts';
import { FakeLark } from './testing/fake-lark.ts';
import { quickTiming } from './testing/quick-timing.ts';

let fake: FakeLark;
beforeEach(async () => {
  fake = await FakeLark.start();
});
afterEach(() => fake.close());

const platform = createLark(quickTiming);
const tested = async (over: Record<string, unknown> = {}) => {
  const config = Default(platform.config, { ...fake.config(), ...over }) as Record<string, unknown>;
  const { test } = await platform.load();
  const { fetch, openSocket } = platformHost.clients(config);
  return test?.(config, { fetch, openSocket, webhook_url: null, signal: AbortSignal.timeout(5000) });
};

it('names the bot', async () => {
  expect(await tested()).toEqual({ id: fake.accountId, name: 'Parley', findings: [] });
});

it('names missing permissions, and the field that needs them', async () => {
  fake.api.scopes = ['im:message'];
  const { findings = [] } = (await tested()) ?? {};
  expect(findings).toMatchObject([{ level: 'error', field: 'enable-stream-reply' }]);
  expect(findings[0]?.text.en_US).toContain('`cardkit:card:write`');
  expect((await tested({ 'enable-stream-reply': false }))?.findings).toEqual([]);
  fake.api.scopes = [];
  expect((await tested())?.findings?.map(({ field }) => field)).toEqual([
    'app_id',
    'app_id',
    'app_id',
    'enable-stream-reply',
  ]);
});

it('says that the bot is not enabled', async () => {
  fake.api.isBotActive = false;
  expect((await tested())?.findings).toMatchObject([{ level: 'error', field: 'app_id' }]);
});

it.each([
  [{ app_secret: 'wrong' }, 'platform_unauthorized'],
  [{ app_id: '' }, 'invalid_request'],
])('fails with %j', async (over, reason) => {
  await expect(tested(over)).rejects.toMatchObject({ reason });
});
