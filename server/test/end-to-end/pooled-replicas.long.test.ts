import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../../src/platforms/telegram/testing/fake-telegram.ts';
import { incoming } from '../../src/platforms/telegram/testing/fixtures.ts';
import { launchServiceProcess, type ServiceProcess } from '../factories/start-service-process.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { queryDatabase } from '../postgres/query-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { startTransactionPooler, type TransactionPooler } from '../postgres/transaction-pooler.ts';
import { freePort } from '../shared/free-port.ts';
import { signedIn } from './api-client.ts';

let database: FreshDatabase;
let pooler: TransactionPooler;
let folder: string;
let telegram: FakeTelegram;
const services: ServiceProcess[] = [];
const patience = { timeout: 60_000, interval: 100 };

beforeEach(async () => {
  database = await migratedDatabase();
  // Fewer connections than the services open.
  pooler = await startTransactionPooler(database.url, 8);
  folder = mkdtempSync(join(tmpdir(), 'parley-pooled-'));
  telegram = await startFakeTelegram();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.kill('SIGKILL');
  await telegram.close();
  await pooler.close();
  await database.drop();
  rmSync(folder, { recursive: true });
}, 60_000);

const start = async (name: string) => {
  const environment = {
    PARLEY_SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    PARLEY_FILES_FOLDER: join(folder, 'files'),
    PARLEY_REPLICA_ADDRESS: `127.0.0.1:${await freePort()}`,
    PARLEY_DATABASE_NAMED_STATEMENTS: 'false',
  };
  const dataDir = join(folder, name);
  const service = await launchServiceProcess({ dataDir, databaseUrl: pooler.url, environment }).ready;
  services.push(service);
  return service;
};
/** Users who each write once. */
const say = (...chats: number[]) => {
  for (const id of chats) telegram.deliver(incoming({ from: { id, is_bot: false, first_name: 'Ada' }, text: '!help' }));
};
const answered = () => telegram.messages.map(({ chat_id }) => Number(chat_id)).toSorted((left, right) => left - right);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

it('two services answer behind a pooler of transactions, and one takes over from the other', async () => {
  const first = await start('first');
  const api = await signedIn(first.address);
  await api.data('POST', '/platform/bots', {
    name: 'Helper',
    adapter: 'telegram',
    adapter_config: { token: telegram.token, api_base_url: telegram.apiBaseUrl },
    enable: true,
  });
  await expect.poll(() => telegram.isPolled, patience).toBe(true);
  const second = await start('second');
  say(...range(1, 31));
  await expect.poll(answered, patience).toEqual(range(1, 31));

  const holder = async () => {
    const [row] = await queryDatabase(
      database.url,
      `select state, address from leases join replicas on id = replica where name like 'bot/%'`,
    );
    return row;
  };
  const before = await holder();
  expect(before).toMatchObject({ state: 'live' });
  await first.kill('SIGKILL');
  say(...range(31, 61));
  await expect.poll(answered, patience).toEqual(range(1, 61));
  const after = await holder();
  expect(after).toMatchObject({ state: 'live' });
  expect(after?.address).not.toBe(before?.address);
  expect(telegram.violations).toEqual([]);
  expect(pooler.switches()).toBeGreaterThan(0);
  expect((await second.stop()).code).toBe(0);
  // Of a transaction that is open, its own settings would be seen as well.
  expect(await pooler.leftSettings()).toEqual([]);
}, 240_000);
