import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { createFakePlatform, type FakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { queryDatabase } from '../postgres/query-database.ts';
import { emptyDatabase, migratedDatabase } from '../postgres/test-database.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const secretKey = 'ab'.repeat(32);
const patience = { timeout: 60_000, interval: 100 };

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Member {
  service: TestService;
  fake: FakePlatform;
}

/** @param bots how many exist from the start */
async function start(databaseUrl: string, { account = false, bots = 0 } = {}): Promise<Member> {
  const fake = createFakePlatform();
  const service = await startTestService({
    databaseUrl,
    account,
    config: { secretKey },
    extensions: { platforms: [fake.platform] },
    ...(bots > 0 && { bots: Array.from({ length: bots }, (_, index) => ({ adapter: 'fake', name: `Bot ${index}` })) }),
  });
  ends.push(() => service.stop());
  return { service, fake };
}

const botsOf = ({ fake }: Member) => new Set(fake.up().map(({ context }) => context.bot_uuid));
const isReady = async ({ service }: Member) => (await service.request({ url: '/readyz' })).status === 200;
/** Makes a bot that answers, unlike those that exist from the start. */
const create = async ({ service }: Member): Promise<string> => {
  const json = { name: 'Answering', adapter: 'fake', adapter_config: {}, enable: true };
  const bearer = service.account.token;
  return (await service.request({ method: 'POST', url: '/api/v1/platform/bots', bearer, json })).body.data.uuid;
};
const answers = async ({ fake }: Member, bot: string, session_id: string) => {
  const adapter = fake.up().find(({ context }) => context.bot_uuid === bot);
  if (adapter === undefined) throw new Error('The bot is not connected');
  await adapter.context.receive(messageEvent('!help', { session_id, sender_id: session_id }));
  await expect.poll(() => fake.sent.filter(({ target }) => target.session_id === session_id).length, patience).toBe(1);
};

it('one replica takes the 1,000 bots of another one over, and goes on meanwhile', async () => {
  const { url, drop } = await migratedDatabase();
  ends.push(drop);
  const count = 1000;
  const first = await start(url, { account: true, bots: count - 1 });
  const bot = await create(first);
  await expect.poll(() => botsOf(first).size, patience).toBe(count);
  const second = await start(url);
  const living = () =>
    second.service.database.selectFrom('replicas').select('id').where('state', '!=', 'ended').execute();
  const ids = async () => (await living()).map(({ id }) => id).toSorted();
  await expect.poll(async () => (await ids()).length, patience).toBe(2);
  const before = await ids();
  await first.service.service.stop();
  await expect.poll(() => botsOf(second).size, patience).toBe(count);
  await answers(second, bot, 'after the takeover');
  // It has not been taken for dead, nor has it lost its leases.
  const [own] = await ids();
  expect(before).toContain(own);
  expect(botsOf(second).size).toBe(count);
}, 180_000);

it('bots that are deleted while they move are connected by no replica, and the others by one', async () => {
  const { url, drop } = await migratedDatabase();
  ends.push(drop);
  const first = await start(url, { account: true, bots: 30 });
  await expect.poll(() => botsOf(first).size, patience).toBe(30);
  const second = await start(url);
  const [deleted, kept] = [[...botsOf(first)].slice(0, 15), [...botsOf(first)].slice(15)];
  const { token } = first.service.account;
  const stopping = first.service.service.stop();
  for (const uuid of deleted) {
    const url = `/api/v1/platform/bots/${uuid}`;
    expect((await second.service.request({ method: 'DELETE', url, bearer: token })).status).toBe(200);
  }
  await stopping;
  await expect.poll(() => [...botsOf(second)].toSorted(), patience).toEqual(kept.toSorted());
  const leases = () =>
    second.service.database.selectFrom('leases').select('name').where('name', 'like', 'bot%').execute();
  await expect
    .poll(async () => (await leases()).filter(({ name }) => deleted.some((uuid) => name.includes(uuid))), patience)
    .toEqual([]);
  expect([...botsOf(second)].toSorted()).toEqual(kept.toSorted());
}, 120_000);

it('a replica goes on after the database had no free connection for it', async () => {
  const server = await sharedResource('postgres');
  const database = await emptyDatabase();
  const role = `limited_${randomBytes(8).toString('hex')}`;
  const name = new URL(database.url).pathname.slice(1);
  await queryDatabase(server, `create role ${role} login`);
  ends.push(() => queryDatabase(server, `drop role ${role}`));
  await queryDatabase(server, `alter database ${name} owner to ${role}`);
  ends.push(database.drop);
  const url = new URL(database.url);
  url.username = role;
  const only = await start(url.href, { account: true });
  const bot = await create(only);
  await expect.poll(() => botsOf(only).size, patience).toBe(1);
  const { token } = only.service.account;
  const read = async () => (await only.service.request({ url: '/api/v1/platform/bots', bearer: token })).status;

  // Limits do not hold for connections that are open.
  await queryDatabase(server, `alter database ${name} connection limit 0`);
  await queryDatabase(server, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  await expect.poll(() => isReady(only), patience).toBe(false);
  await expect.poll(() => botsOf(only).size, patience).toBe(0);
  expect(await read()).toBe(503);
  await queryDatabase(server, `alter database ${name} connection limit -1`);
  await expect.poll(() => isReady(only), patience).toBe(true);
  await expect.poll(() => botsOf(only).size, patience).toBe(1);
  expect(await read()).toBe(200);
  await answers(only, bot, 'after the shortage');
}, 120_000);
