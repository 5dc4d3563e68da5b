import type { LoginStep } from '@parley/sdk';
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
async function* steps(signal = AbortSignal.timeout(5000)): AsyncGenerator<LoginStep> {
  const { login } = await platform.load();
  const config = Default(platform.config, { accounts_base_url: fake.url }) as Record<string, unknown>;
  const { fetch, openSocket } = platformHost.clients(config);
  yield* login?.(config, { fetch, openSocket, webhook_url: null, signal }) ?? [];
}

it('ends with the credentials of an app', async () => {
  const seen: LoginStep[] = [];
  for await (const step of steps()) {
    seen.push(step);
    if (step.state === 'waiting') fake.signIn('confirm');
  }
  const { app_id, app_secret } = fake.config();
  expect(seen).toEqual([
    { state: 'waiting', url: expect.stringContaining('user_code='), expires_at: expect.any(String) },
    { state: 'done', config: { domain: 'feishu', app_id, app_secret }, account: { id: 'ou_ada', name: null } },
  ]);
});

it.each([
  ['refuse', { state: 'refused', message: 'The user refused' }],
  ['expire', { state: 'expired' }],
] as const)('tells that it ended: %s', async (decision, last) => {
  const seen: LoginStep[] = [];
  for await (const step of steps()) {
    seen.push(step);
    fake.signIn(decision);
  }
  expect(seen.at(-1)).toEqual(last);
});

it('ends with its signal', async () => {
  const ended = new AbortController();
  const run = async () => {
    for await (const _ of steps(ended.signal)) ended.abort(new Error('cancelled'));
  };
  await expect(run()).rejects.toThrow();
});

it('fails when the platform does not start it', async () => {
  fake.fail('any', 'wrong_body', 10);
  await expect(steps().next()).rejects.toMatchObject({ reason: 'platform_failed' });
});
