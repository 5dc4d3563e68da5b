import type { PlatformTest } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createDiscord } from './index.ts';
import { type FakeDiscord, startFakeDiscord } from './testing/fake-discord.ts';
import { quickTiming } from './testing/start-adapter.ts';

let fake: FakeDiscord;
beforeEach(async () => {
  fake = await startFakeDiscord();
});
afterEach(() => fake.close());

async function check(over: Record<string, unknown> = {}): Promise<PlatformTest> {
  const config = { ...fake.config(), ...over };
  const { fetch, openSocket } = platformHost.clients(config);
  const { test } = await createDiscord(quickTiming).load();
  const result = await test?.(config, { fetch, openSocket, webhook_url: null, signal: AbortSignal.timeout(5000) });
  if (result === undefined) throw new Error('There is no test');
  return result;
}

describe('the connection test', () => {
  it('names the account', async () => {
    expect(await check()).toEqual({ id: fake.accountId, name: 'parrot', findings: [] });
    expect(await check({ client_id: '', token: ` Bot ${fake.bot.token} ` })).toMatchObject({ id: fake.accountId });
    expect(fake.connections().attempts).toBe(0);
  });

  it.each([1 << 18, 1 << 19])('takes the flag %i of the intent', async (flags) => {
    fake.bot.flags = flags;
    expect((await check()).findings).toEqual([]);
  });

  it('finds what would keep the bot from answering', async () => {
    fake.bot.flags = 0;
    fake.rest.isInServers = false;
    const { findings = [] } = await check({ client_id: '5' });
    expect(findings.map(({ level, field }) => [level, field])).toEqual([
      ['error', 'token'],
      ['warning', 'client_id'],
      ['warning', undefined],
    ]);
    const texts = findings.map(({ text }) => text.en_US);
    expect(texts[0]).toContain(`/applications/${fake.bot.applicationId}/bot`);
    expect(texts[2]).toContain('permissions=274878008320');
  });

  it('tells that the token is wrong', async () => {
    await expect(check({ token: 'MTIz.GabcdE.wrong' })).rejects.toMatchObject({ reason: 'platform_unauthorized' });
    await expect(check({ token: 'a b' })).rejects.toMatchObject({ reason: 'platform_unauthorized' });
  });

  it('tells that Discord cannot be reached', async () => {
    await fake.goAway();
    await expect(check()).rejects.toMatchObject({ reason: 'platform_failed' });
  });
});
