import { beforeEach, expect, it } from 'vitest';
import { addBot } from '../../../test/stores/add-bot.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import type { SharedBotState } from '../../core/bots/bot-state-store.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Storage } from '../storage.ts';
import { BotStates } from './bot-states.ts';
import { KyselyBotStore } from './kysely-bot-store.ts';

const since = '2026-11-28T12:00:00.000Z';
const profile = { name: 'Parrot', url: 'https://example.com/parrot' };

describeOnEachEngine('states of bots that replicas show each other', (storage) => {
  let other: Storage;
  let here: BotStates;
  let there: BotStates;
  beforeEach(async () => {
    other = await otherReplica(storage());
    here = new BotStates(storage().database, storage().engine, storage().replica);
    there = new BotStates(other.database, other.engine, other.replica);
  });
  const bot = async () => {
    const uuid = newUuid();
    await addBot(storage(), { uuid });
    return uuid;
  };
  const stateOf = (bot_uuid: string, over: Partial<SharedBotState> = {}): SharedBotState => ({
    bot_uuid,
    state: 'running',
    reason: null,
    error: null,
    since,
    account_id: '@parrot',
    account_profile: profile,
    ...over,
  });
  const version = async () =>
    (await storage().database.selectFrom('bot_state_version').select('version').executeTakeFirstOrThrow()).version;
  const use = (states: BotStates, bot_uuid: string, account_id = '@parrot', adapter = 'fake') =>
    states.useAccount({ bot_uuid, adapter, account_id, token: 1 });

  it('are read as they were stored, with the replica, and change a number', async () => {
    const [first, second] = [await bot(), await bot()];
    const before = await version();
    const lost = { state: 'error', reason: 'platform_failed', error: 'It says no', account_id: null } as const;
    const states = [stateOf(first), stateOf(second, { ...lost, account_profile: null })];
    await here.save(states.map((state) => ({ ...state, token: 1 })));
    expect(Number(await version())).toBe(Number(before) + 1);
    const stored = (await there.all()).toSorted((left, right) => (left.bot_uuid < right.bot_uuid ? -1 : 1));
    expect(stored).toEqual(states.map((state) => ({ ...state, replica: storage().replica.id })));
    await there.save([]);
    expect(Number(await version())).toBe(Number(before) + 1);
    // Bots that are gone have none.
    await new KyselyBotStore(storage().database, storage().engine).delete(first);
    await here.save([{ ...stateOf(first), token: 1 }]);
    expect((await there.all()).map(({ bot_uuid }) => bot_uuid)).toEqual([second]);
  });

  it('stay as the later holder of a lease stored them', async () => {
    const uuid = await bot();
    await here.save([{ ...stateOf(uuid), token: 4 }]);
    await there.save([{ ...stateOf(uuid, { state: 'starting' }), token: 5 }]);
    await here.save([{ ...stateOf(uuid, { state: 'stopped' }), token: 4 }]);
    expect(await here.all()).toMatchObject([{ state: 'starting', replica: other.replica.id }]);
    await there.save([{ ...stateOf(uuid), token: 5 }]);
    expect(await here.all()).toMatchObject([{ state: 'running', replica: other.replica.id }]);
  });

  it('keep an account for one bot, until that is disconnected or its replica is dead', async () => {
    const [first, second, third] = [await bot(), await bot(), await bot()];
    expect(await use(here, first)).toBeNull();
    expect(await use(there, second)).toBe(first);
    // As it has not changed, or as the same bot on another replica.
    expect(await use(here, first)).toBeNull();
    expect(await use(there, first)).toBeNull();
    expect(await use(here, second, '@other')).toBeNull();
    expect(await use(here, third, '@parrot', 'another')).toBeNull();
    await there.save([{ ...stateOf(first), token: 1 }]);
    expect(await use(here, second)).toBe(first);
    await there.save([{ ...stateOf(first, { state: 'error', account_id: null }), token: 1 }]);
    expect(await use(here, second)).toBeNull();

    expect(await use(there, third, '@left')).toBeNull();
    expect(await use(here, first, '@left')).toBe(third);
    await takeOver(other);
    expect(await use(here, first, '@left')).toBeNull();
  });

  it('give an account to one of several bots that connect at once', async () => {
    const bots = await Promise.all(Array.from({ length: 6 }, bot));
    const refused = await Promise.all(bots.map((uuid, index) => use(index % 2 === 0 ? here : there, uuid)));
    const winner = bots.filter((_, index) => refused[index] === null);
    expect(winner).toHaveLength(1);
    expect(refused.filter((uuid) => uuid !== null)).toEqual(Array(5).fill(winner[0]));
  });
});
