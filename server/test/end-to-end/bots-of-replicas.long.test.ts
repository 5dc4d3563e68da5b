import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakePlatform, type FakeAdapter, type FakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const secretKey = 'ab'.repeat(32);

/** One of the services, and what its platforms were asked to do. */
interface Member {
  service: TestService;
  fake: FakePlatform;
  /** A platform whose bots are connected in every replica. */
  sockets: FakePlatform;
}

describe('bots of two replicas on one database', () => {
  let database: FreshDatabase;
  const members: Member[] = [];
  /** Bots that a replica connected while the other one had them connected. */
  const doubles: string[] = [];
  const ends: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    database = await migratedDatabase();
    ends.push(() => database.drop());
  });
  afterEach(async () => {
    members.length = 0;
    doubles.length = 0;
    for (const end of ends.splice(0).reverse()) await end();
  });

  const start = async () => {
    const isFirst = members.length === 0;
    const [fake, sockets] = [createFakePlatform(), createFakePlatform({ name: 'sockets' })];
    Object.assign(sockets.platform, { sockets: true });
    const count = members.length;
    fake.start = async (adapter) => {
      const bot = adapter.context.bot_uuid;
      const others = members.flatMap(({ fake: { adapters } }) => adapters).filter((one) => one !== adapter);
      if (others.some((one) => isConnected(one, bot))) doubles.push(`${bot} at ${count}`);
    };
    // A poll that ends some time after it was told to.
    fake.stop = () => new Promise((resolve) => setTimeout(resolve, 30));
    const service = await startTestService({
      databaseUrl: database.url,
      account: isFirst,
      config: { secretKey },
      extensions: { platforms: [fake.platform, sockets.platform] },
    });
    const member = { service, fake, sockets };
    members.push(member);
    ends.push(() => service.stop());
    return member;
  };
  const isConnected = ({ context, state }: FakeAdapter, bot: string) =>
    context.bot_uuid === bot && state !== 'stopped' && state !== 'failed';
  const connectedBy = ({ adapters }: FakePlatform, bot: string): FakeAdapter | null =>
    adapters.find((adapter) => isConnected(adapter, bot)) ?? null;
  const ask = (url: string, method = 'GET', json?: unknown, at = members[0]) =>
    (at as Member).service.request({ url, method, json, bearer: members[0]?.service.account.token ?? '' });
  const create = async (name: string, adapter = 'fake') => {
    const made = await ask('/api/v1/platform/bots', 'POST', { name, adapter, adapter_config: {}, enable: true });
    return made.body.data.uuid as string;
  };
  const holderOf = (bot: string) => members.find(({ fake }) => fake.up().some((one) => one.context.bot_uuid === bot));
  const say = async (adapter: FakeAdapter | null | undefined, session_id: string) => {
    if (adapter == null) throw new Error('The bot is not connected');
    await adapter.context.receive(messageEvent('!help', { session_id, sender_id: session_id }));
  };
  const statesAt = async (at: Member): Promise<Record<string, string>> => {
    const { body } = await ask('/api/v1/platform/bots', 'GET', undefined, at);
    return Object.fromEntries(
      body.data.bots
        .filter(({ adapter }: { adapter: string }) => adapter === 'fake')
        .map((bot: { uuid: string; adapter_runtime_values: { state: string } }) => [
          bot.uuid,
          bot.adapter_runtime_values.state,
        ]),
    );
  };
  const answersOf = ({ sent }: FakePlatform) => sent.map(({ target }) => target.session_id);
  const patience = { timeout: 20_000, interval: 50 };

  it('are connected by one at a time, whose state the other shows, and answer what they receive once', async () => {
    const [first, second] = [await start(), await start()];
    const bots: string[] = [];
    for (let index = 0; index < 6; index += 1) bots.push(await create(`Bot ${index}`));
    await expect.poll(() => bots.filter((bot) => holderOf(bot) !== undefined).length, patience).toBe(6);
    const shares = [first, second].map(({ fake }) => fake.up().length);
    expect(Math.max(...shares)).toBeLessThanOrEqual(4);
    for (const member of [first, second]) {
      await expect
        .poll(() => statesAt(member), patience)
        .toEqual(Object.fromEntries(bots.map((bot) => [bot, 'running'])));
    }

    const said: string[] = [];
    const rounds = Array.from({ length: 10 }, (_, round) =>
      bots.map(async (bot, index) => {
        const session = `person ${index} ${round}`;
        said.push(session);
        await say(connectedBy((holderOf(bot) as Member).fake, bot), session);
      }),
    );
    await Promise.all(rounds.flat());
    await expect
      .poll(() => [...answersOf(first.fake), ...answersOf(second.fake)].toSorted(), patience)
      .toEqual(said.toSorted());
    // Each by the replica that has its bot connected.
    for (const member of [first, second]) {
      const own = bots.flatMap((bot, index) => (holderOf(bot) === member ? [`person ${index} `] : []));
      for (const session of answersOf(member.fake)) expect(own.some((start) => session.startsWith(start))).toBe(true);
    }

    // The holder follows changes that the other has stored.
    const [changed, disabled, deleted] = bots.filter((bot) => holderOf(bot) === second) as [string, string, string?];
    const path = (bot: string) => `/api/v1/platform/bots/${bot}`;
    await ask(path(changed), 'PUT', { adapter_config: { nickname: 'new' } });
    await ask(path(disabled), 'PUT', { enable: false });
    if (deleted !== undefined) await ask(path(deleted), 'DELETE');
    await expect.poll(() => connectedBy(second.fake, changed)?.config.nickname, patience).toBe('new');
    await expect.poll(() => [disabled, deleted ?? ''].map(holderOf), patience).toEqual([undefined, undefined]);
    await expect.poll(async () => (await statesAt(first))[disabled], patience).toBe('stopped');

    // The rest goes to the one that is left.
    await second.service.stop();
    ends.splice(-1);
    const left = bots.filter((bot) => bot !== disabled && bot !== deleted);
    await expect.poll(() => left.every((bot) => holderOf(bot) === first), patience).toBe(true);
    expect(doubles).toEqual([]);
  }, 90_000);

  it('of which each replica has callers answer these where they wait', async () => {
    const [first, second] = [await start(), await start()];
    const bot = await create('Socket bot', 'sockets');
    await expect.poll(() => [first, second].map(({ sockets }) => sockets.up().length), patience).toEqual([1, 1]);
    const adapters = [first, second].map(({ sockets }) => connectedBy(sockets, bot));
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => say(adapters[index % 2], `caller ${index} at ${index % 2}`)),
    );
    const waiting = (at: number) =>
      Array.from({ length: 40 }, (_, index) => `caller ${index} at ${index % 2}`).filter((one) =>
        one.endsWith(`${at}`),
      );
    await expect.poll(() => answersOf(first.sockets).toSorted(), patience).toEqual(waiting(0).toSorted());
    await expect.poll(() => answersOf(second.sockets).toSorted(), patience).toEqual(waiting(1).toSorted());
  }, 60_000);
});
