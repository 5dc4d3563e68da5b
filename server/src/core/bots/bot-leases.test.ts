import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakeAdapter } from '../../../test/factories/fake-platform.ts';
import { type BotFixture, openBotFixture } from '../../../test/stores/bot-fixture.ts';
import { FakeLeases } from '../../../test/stores/fake-leases.ts';
import { messageEvent } from '../../../test/stores/ledger-records.ts';
import { now } from '../../lib/clock.ts';
import { botLease, botOfLease } from '../replicas/leases.ts';
import { BotWebhooks } from './bot-webhooks.ts';

describe('bots of several replicas', () => {
  const sockets = createFakePlatform({ name: 'sockets' });
  Object.assign(sockets.platform, { sockets: true });
  let leases: FakeLeases;
  let fixture: BotFixture;
  let version = 1;
  /** Until messages of a bot have been answered. */
  let idle: (botUuid: string) => Promise<void>;
  beforeEach(async () => {
    leases = new FakeLeases();
    idle = async () => undefined;
    const timing = { stop: 100, leave: 100 };
    fixture = await openBotFixture({ leases, others: [sockets], timing, idle: (bot) => idle(bot) });
  });
  afterEach(() => fixture.close());
  const see = (others = ['other']) => fixture.runtime.see({ recordVersion: version, botStateVersion: 0, others });
  const beat = async (others?: string[]) => {
    version += 1;
    const reads = fixture.store.revisions.bind(fixture.store);
    const read = Promise.withResolvers<void>();
    fixture.store.revisions = () => reads().finally(() => setImmediate(read.resolve));
    see(others);
    await read.promise;
  };
  const up = (uuid: string) => fixture.fake.up().filter(({ context }) => context.bot_uuid === uuid).length;

  it('are connected while their lease is held here, those of callers and sockets everywhere', async () => {
    const { runtime, insert, fake, state } = fixture;
    const [bot, off, chat] = [await insert(), await insert({ enable: false }), await insert({ adapter: 'sockets' })];
    await runtime.start();
    see();
    expect([...leases.wanted]).toEqual([botLease(bot)]);
    expect([fake.adapters.length, sockets.up().length]).toEqual([0, 1]);
    expect([bot, off, chat].map(state)).toEqual(['starting', 'stopped', 'running']);
    expect(runtime.heldBots()).toEqual([bot]);
    expect(runtime.claimable([])).toEqual({ only: [chat] });
    expect([runtime.isRunning(bot), leases.ask(bot)]).toEqual([false, true]);

    leases.gain(bot);
    await expect.poll(() => state(bot)).toBe('running');
    expect(runtime.claimable([])).toEqual({ only: expect.toSatisfy((only) => new Set(only).size === 2) });
    expect(runtime.claimable([bot])).toEqual({ only: [chat] });
    expect([runtime.heldBots(), leases.ask(bot)]).toEqual([[], false]);
    // In the only replica that works all bots are connected, but for those that wait.
    see([]);
    expect(runtime.claimable([chat])).toEqual({ except: [chat] });
  });

  it('end before their lease is free, in bounded time, and what they had received is stored', async () => {
    const { runtime, insert, fake, state } = fixture;
    const bot = await insert();
    await runtime.start();
    see();
    leases.gain(bot);
    await expect.poll(() => up(bot)).toBe(1);
    const stopped = Promise.withResolvers<void>();
    fake.stop = () => stopped.promise;
    let isFree = false;
    const released = leases.release(bot).then(() => {
      isFree = true;
    });
    expect(runtime.claimable([])).toEqual({ only: [] });
    await expect.poll(() => runtime.isRunning(bot)).toBe(false);
    expect([runtime.heldBots(), runtime.claimable([])]).toEqual([[bot], { only: [] }]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isFree).toBe(false);
    stopped.resolve();
    await released;
    const { context } = fake.adapters[0] as FakeAdapter;
    expect(await context.receive(messageEvent('late'))).toMatchObject({ outcome: 'accepted' });
    expect(state(bot)).toBe('starting');
    // No call connects it here.
    await runtime.apply(bot);
    expect(await runtime.absence(bot)).toBe('bot_not_running');
    expect([fake.adapters.length, up(bot)]).toEqual([1, 0]);

    leases.gain(bot);
    await expect.poll(() => state(bot)).toBe('running');
    fake.stop = () => new Promise(() => undefined);
    await leases.release(bot);
    expect(runtime.isRunning(bot)).toBe(false);
  });

  it('are kept while messages are answered through them, for a while, and claimed for no more', async () => {
    const { runtime, insert } = fixture;
    const bot = await insert();
    await runtime.start();
    see();
    leases.gain(bot);
    await expect.poll(() => up(bot)).toBe(1);
    const answered = Promise.withResolvers<void>();
    const asked: string[] = [];
    idle = async (uuid) => {
      asked.push(uuid);
      await answered.promise;
    };
    const released = leases.release(bot);
    expect(runtime.claimable([])).toEqual({ only: [] });
    see([]);
    expect(runtime.claimable([])).toEqual({ except: [bot] });
    see();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([runtime.isRunning(bot), up(bot)]).toEqual([true, 1]);
    answered.resolve();
    await released;
    expect([runtime.isRunning(bot), up(bot), asked]).toEqual([false, 0, [bot]]);

    leases.gain(bot);
    await expect.poll(() => up(bot)).toBe(1);
    expect(runtime.claimable([])).toEqual({ only: [bot] });
    idle = () => new Promise(() => undefined);
    await leases.release(bot);
    expect(runtime.isRunning(bot)).toBe(false);

    // As when a bot is disabled and enabled again at once.
    leases.gain(bot);
    await expect.poll(() => up(bot)).toBe(1);
    const later = Promise.withResolvers<void>();
    idle = () => later.promise;
    const again = leases.release(bot);
    leases.gain(bot);
    later.resolve();
    await again;
    expect([runtime.isRunning(bot), up(bot)]).toEqual([true, 1]);
  });

  it('end at once when another replica has taken their lease, also while their platform is being reached', async () => {
    const { runtime, insert, fake } = fixture;
    const starting = Promise.withResolvers<void>();
    fake.start = ({ config }) => (config.nickname === 'slow' ? starting.promise : Promise.resolve());
    const [bot, slow] = [await insert(), await insert({ adapter_config: { nickname: 'slow' } })];
    await runtime.start();
    leases.gain(bot);
    leases.gain(slow);
    await expect.poll(() => [up(bot), fake.adapters.length]).toEqual([1, 2]);
    leases.lose(bot);
    leases.lose(slow);
    expect(runtime.isRunning(bot)).toBe(false);
    starting.resolve();
    await expect.poll(() => fake.adapters.map(({ state }) => state)).toEqual(['stopped', 'stopped']);
    expect(runtime.isRunning(slow)).toBe(false);
  });

  it('follow records that another replica has changed', async () => {
    const { runtime, insert, store, fake, state } = fixture;
    const [bot, elsewhere] = [await insert(), await insert()];
    await runtime.start();
    await beat();
    leases.gain(bot);
    await expect.poll(() => up(bot)).toBe(1);
    await store.update(bot, () => ({ adapter_config: { nickname: 'new' }, updated_at: `${now()} 1` }));
    await beat();
    await expect.poll(() => fake.up().map(({ config }) => config.nickname)).toEqual(['new']);
    // One that was made elsewhere is wanted, and its messages are not claimed meanwhile.
    const added = await insert();
    await beat();
    expect(leases.wanted.has(botLease(added))).toBe(true);
    expect([...runtime.heldBots()].sort()).toEqual([elsewhere, added].sort());

    await store.update(elsewhere, () => ({ enable: false, updated_at: now() }));
    await store.delete(added);
    await store.update(bot, () => ({ enable: false, updated_at: `${now()} 2` }));
    await beat();
    await expect.poll(() => [...leases.wanted]).toEqual([]);
    await expect.poll(() => fake.up()).toEqual([]);
    expect([bot, elsewhere, added].map(state)).toEqual(['stopped', 'stopped', 'stopped']);
    expect([runtime.heldBots(), leases.token(botLease(bot))]).toEqual([[], null]);
  });

  it('are compared with the records only when one of these has changed', async () => {
    const { runtime, insert, store } = fixture;
    await insert();
    await runtime.start();
    await beat();
    let reads = 0;
    const read = store.revisions.bind(store);
    store.revisions = () => {
      reads += 1;
      return reads === 1 ? Promise.reject(new Error('connection lost')) : read();
    };
    for (let index = 0; index < 3; index += 1) see();
    expect(reads).toBe(0);
    version += 1;
    see();
    // A failed comparison is repeated with a later beat.
    await expect
      .poll(() => {
        see();
        return reads;
      })
      .toBe(2);
    await new Promise((resolve) => setImmediate(resolve));
    see();
    expect(reads).toBe(2);
  });

  it('that were disconnected while this replica was fenced are connected again where it still holds their lease', async () => {
    const { runtime, insert, store, fake } = fixture;
    const [kept, lost] = [await insert(), await insert()];
    await runtime.start();
    leases.gain(kept);
    leases.gain(lost);
    await expect.poll(() => fake.up().length).toBe(2);
    await runtime.suspend();
    expect(fake.up()).toEqual([]);
    leases.lose(lost);
    const read = store.revisions.bind(store);
    store.revisions = () => Promise.reject(new Error('connection lost'));
    await expect(runtime.resume()).rejects.toThrow('connection lost');
    store.revisions = read;
    see();
    await expect.poll(() => [up(kept), up(lost)]).toEqual([1, 0]);
    leases.gain(lost);
    await expect.poll(() => up(lost)).toBe(1);
  });

  it('come to the replica that their platform reaches with a websocket', async () => {
    const { runtime, store, insert, fake } = fixture;
    Object.assign(fake.platform.capabilities, { inbound_sockets: true });
    const bot = await insert();
    await runtime.start();
    const webhooks = new BotWebhooks(store, {
      runtime,
      receivers: { of: async () => null, drop: () => undefined },
      logger: silentLogger,
    });
    const request = { path: '', query: {}, headers: {} };
    // The next attempt may reach another replica, so this one is not refused while the bot is on its way.
    const accepted = webhooks.acceptSocket(bot, request);
    accepted.catch(() => undefined);
    await expect.poll(() => leases.brought).toEqual([botLease(bot)]);
    leases.gain(bot);
    await expect(accepted).rejects.not.toMatchObject({ reason: 'bot_not_running' });
    await expect(webhooks.acceptSocket(bot, request)).rejects.not.toMatchObject({ reason: 'bot_not_running' });
    expect(leases.brought).toHaveLength(1);
  });

  it('are waited for where they are created and changed, if no other replica has them', async () => {
    const { create, runtime, service, fake } = fixture;
    await runtime.start();
    leases.others = null;
    let isMade = false;
    const made = create().then((uuid) => {
      isMade = true;
      return uuid;
    });
    await expect.poll(() => leases.wanted.size).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isMade).toBe(false);
    const [bot] = [...leases.wanted].map(botOfLease) as [string];
    leases.gain(bot);
    expect(await made).toBe(bot);
    expect(runtime.isRunning(bot)).toBe(true);
    // Another one gets it.
    await leases.release(bot);
    let isChanged = false;
    const changed = service.update(bot, { adapter_config: { nickname: 'new' } }).then(() => {
      isChanged = true;
    });
    leases.others = 'other';
    await expect
      .poll(() => {
        see();
        return isChanged;
      })
      .toBe(true);
    await changed;
    expect(fake.adapters).toHaveLength(1);
  });

  it('are given up when they are disabled or deleted here', async () => {
    const { runtime, create, service, fake } = fixture;
    await runtime.start();
    const [first, second] = [await create(), await create()];
    expect(fake.adapters).toEqual([]);
    expect([...leases.wanted]).toEqual([botLease(first), botLease(second)]);
    leases.gain(first);
    await expect.poll(() => up(first)).toBe(1);
    await service.update(first, { enable: false });
    await service.delete(second);
    await expect.poll(() => [...leases.wanted]).toEqual([]);
    expect(fake.up()).toEqual([]);
    expect(leases.token(botLease(first))).toBeNull();
    await service.update(first, { enable: true });
    leases.gain(first);
    await expect.poll(() => up(first)).toBe(1);
  });
});
