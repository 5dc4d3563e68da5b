import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakePlatform } from '../../../test/factories/fake-platform.ts';
import { type BotFixture, openBotFixture } from '../../../test/stores/bot-fixture.ts';
import { FakeLeases } from '../../../test/stores/fake-leases.ts';
import type { BotStateStore, SharedBotState } from './bot-state-store.ts';

const since = '2026-11-28T12:00:00.000Z';

describe('the states of bots of several replicas', () => {
  const leases = new FakeLeases();
  const saved: (SharedBotState & { token: number })[] = [];
  const stored = new Map<string, SharedBotState & { replica: string }>();
  let reads = 0;
  let failures = 0;
  let takenBy: string | null = null;
  let version = 0;
  const botStates: BotStateStore = {
    all: async () => {
      reads += 1;
      return [...stored.values()];
    },
    save: async (states) => {
      if (failures-- > 0) throw new Error('connection lost');
      saved.push(...states);
    },
    useAccount: async () => takenBy,
  };
  let fixture: BotFixture;
  beforeEach(async () => {
    saved.length = 0;
    stored.clear();
    reads = 0;
    failures = 0;
    takenBy = null;
    const fake = createFakePlatform();
    fixture = await openBotFixture({ leases, botStates, fake });
  });
  afterEach(() => fixture.close());
  const see = (others: readonly string[] = ['other']) =>
    fixture.runtime.see({ recordVersion: 1, botStateVersion: version, others });
  const beaten = (bot: string, others?: readonly string[]) => {
    see(others);
    return fixture.state(bot);
  };
  const storeElsewhere = (bot_uuid: string, over: Partial<SharedBotState & { replica: string }> = {}) => {
    const connected = { state: 'running', reason: null, error: null, since } as const;
    const account = { account_id: '@parrot', account_profile: { name: 'Parrot' } };
    stored.set(bot_uuid, { bot_uuid, replica: 'other', ...connected, ...account, ...over });
    version += 1;
  };

  it('are shown of another replica while that lives, and read only when one has changed', async () => {
    const { runtime, insert, state, service } = fixture;
    const bot = await insert();
    await runtime.start();
    see([]);
    // Those that replicas before it have stored.
    expect([state(bot), reads]).toEqual(['stopped', 1]);
    await new Promise((resolve) => setImmediate(resolve));
    const before = runtime.shownState();
    storeElsewhere(bot);
    await expect.poll(() => beaten(bot)).toBe('running');
    expect(runtime.shownState()).not.toBe(before);
    const shown = { state: 'running', since, bot_account_id: '@parrot', bot_account_name: 'Parrot' };
    expect((await service.get(bot)).adapter_runtime_values).toMatchObject(shown);
    expect(runtime.statuses()).toEqual([{ uuid: bot, state: 'running' }]);
    expect((await service.page({ state: 'running', limit: 10, offset: 0 } as never)).total).toBe(1);
    // Only its holder sends.
    expect(runtime.isRunning(bot)).toBe(false);
    expect(() => runtime.running(bot)).toThrow('not connected');
    for (let index = 0; index < 3; index += 1) see();
    expect(reads).toBe(2);

    storeElsewhere(bot, { state: 'error', reason: 'platform_unauthorized', error: 'It says no' });
    await expect.poll(() => beaten(bot)).toBe('error');
    expect(runtime.status(bot)).toMatchObject({ reason: 'platform_unauthorized', error: 'It says no' });
    await expect.poll(() => beaten(bot, ['third'])).toBe('starting');
    expect(runtime.accountId(bot)).toBeNull();
    expect((await service.get(bot)).adapter_runtime_values).toMatchObject({ state: 'starting', bot_account_id: null });
  });

  it('are stored with the token of the lease, together, and when the account becomes known', async () => {
    const { runtime, insert, fake, state } = fixture;
    let account: string | null = null;
    fake.accountId = () => account;
    const bot = await insert();
    await runtime.start();
    see();
    leases.gain(bot);
    await expect.poll(() => state(bot)).toBe('running');
    const token = leases.token(`bot/${bot}`);
    await expect.poll(() => saved).toMatchObject([{ bot_uuid: bot, state: 'running', account_id: null, token }]);
    see();
    account = '@parrot';
    failures = 1;
    see();
    await expect
      .poll(
        () => {
          see();
          return saved.length;
        },
        { interval: 20 },
      )
      .toBe(2);
    expect(saved[1]).toMatchObject({ state: 'running', account_id: '@parrot', token });
    // The next holder is about to connect it. What that stores has a later token, so the end does not replace it.
    await leases.release(bot);
    await expect.poll(() => saved[2]).toMatchObject({ state: 'starting', account_id: null, token });
    expect(saved).toHaveLength(3);
  });

  it('do not let a bot use the account of one that another replica has connected', async () => {
    const { runtime, insert, fake, state } = fixture;
    fake.accountId = () => '@parrot';
    const [elsewhere, bot] = [await insert({ name: 'First' }), await insert({ name: 'Second' })];
    await runtime.start();
    takenBy = elsewhere;
    leases.gain(bot);
    await expect.poll(() => state(bot)).toBe('error');
    expect(runtime.status(bot)).toMatchObject({
      reason: 'conflict',
      error: 'The bot "First" is already connected with this account',
    });
    takenBy = null;
    await expect.poll(() => state(bot)).toBe('running');
  });
});
