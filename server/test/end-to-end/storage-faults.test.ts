import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseFile } from '../../src/storage/storage.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { freshDatabase } from '../postgres/fresh-database.ts';
import { type PostgresServer, startPostgres } from '../postgres/postgres-server.ts';
import { looksClosely } from '../shared/looks-closely.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const seconds = (milliseconds: number) => milliseconds / 1000;

async function timed<Result>(work: Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const begun = performance.now();
  const result = await work;
  return { result, milliseconds: performance.now() - begun };
}

/** Waits for the service, which runs in this process: a call that waits itself would keep it from ending its transaction. */
async function betweenWrites(write: () => void): Promise<void> {
  await expect.poll(write, { timeout: 5000, interval: 5 }).toBeUndefined();
}

describe('while another process has locked the SQLite file', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('reads go on, writes wait, and the server is not ready', async () => {
    const { token: bearer } = service.account;
    const other = new DatabaseSync(databaseFile(service.config), { timeout: 0 });
    await betweenWrites(() => other.exec('begin exclusive'));
    const write = service.request({ method: 'POST', url: '/api/v1/apikeys', bearer, json: { name: 'waits' } });
    const health = await timed(service.request({ url: '/healthz' }));
    expect(health.result.status).toBe(200);
    expect(health.milliseconds).toBeLessThan(500);
    const read = await timed(service.request({ url: '/api/v1/pipelines', bearer }));
    expect(read.result.status).toBe(200);
    expect(read.milliseconds).toBeLessThan(1000);
    const ready = await timed(service.request({ url: '/readyz' }));
    expect(ready.result).toMatchObject({ status: 503, body: { reason: 'storage_unavailable' } });
    expect(seconds(ready.milliseconds)).toBeLessThan(2);
    other.exec('rollback');
    other.close();
    expect((await write).status).toBe(200);
    await expect.poll(async () => (await service.request({ url: '/readyz' })).status, { timeout: 5000 }).toBe(200);
  });

  it('a file that is damaged while it is used makes the server not ready, until it is started again', async () => {
    const { token: bearer } = service.account;
    const path = databaseFile(service.config);
    const other = new DatabaseSync(path, { timeout: 0 });
    await betweenWrites(() => other.exec('pragma wal_checkpoint(truncate)'));
    const { rootpage, page_size } = other
      .prepare("select rootpage, page_size from sqlite_schema, pragma_page_size where name = 'pipelines'")
      .get() as { rootpage: number; page_size: number };
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(page_size, 0xff), 0, page_size, (rootpage - 1) * page_size);
    closeSync(file);
    // A connection that has read the page before reads it again after a change by another process.
    await betweenWrites(() => other.exec("insert into metadata (key, value) values ('changed', 'elsewhere')"));
    other.close();
    // Not the address of before, whose answer is in memory.
    const url = '/api/v1/pipelines?sort_order=ASC';
    await expect.poll(async () => (await service.request({ url, bearer })).status, { timeout: 5000 }).toBe(503);
    const ready = await timed(service.request({ url: '/readyz' }));
    expect(ready.result).toMatchObject({ status: 503, body: { msg: 'The database is damaged; restore a backup' } });
    expect(seconds(ready.milliseconds)).toBeLessThan(2);
    expect((await service.request({ url: '/healthz' })).status).toBe(200);
  });
});

describe.runIf(looksClosely)('while PostgreSQL is away', () => {
  let server: PostgresServer;
  let service: TestService;
  beforeAll(async () => {
    server = await startPostgres();
    service = await startTestService({ databaseUrl: (await freshDatabase(server.url)).url });
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });
  const upload = () => {
    const body = ['--b', 'content-disposition: form-data; name="file"; filename="a.txt"', '', 'text', '--b--', ''];
    return service.request({
      method: 'POST',
      url: '/api/v1/files/documents',
      bearer: service.account.token,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      payload: body.join('\r\n'),
    });
  };

  it('the server says so, refuses writes and uploads at once, and goes on by itself', async () => {
    const { token: bearer } = service.account;
    expect((await service.request({ url: '/readyz' })).status).toBe(200);
    expect((await upload()).status).toBe(200);
    await server.tell('stop');
    // A write of less than a second ago counts.
    await expect.poll(async () => (await service.request({ url: '/readyz' })).status, { timeout: 2000 }).toBe(503);
    const ready = await timed(service.request({ url: '/readyz' }));
    expect(ready.result).toMatchObject({ status: 503, body: { reason: 'storage_unavailable' } });
    expect(ready.result.headers['retry-after']).toBe('5');
    expect(seconds(ready.milliseconds)).toBeLessThan(2);
    await expect
      .poll(async () => (await service.request({ url: '/readyz' })).body.msg, { timeout: 2000 })
      .toBe('The database cannot be reached');
    expect((await service.request({ url: '/healthz' })).status).toBe(200);
    for (const refused of [
      upload(),
      service.request({ method: 'POST', url: '/api/v1/apikeys', bearer, json: { name: 'refused' } }),
      service.request({ url: '/api/v1/pipelines', bearer }),
    ]) {
      const { result, milliseconds } = await timed(refused);
      expect(result).toMatchObject({ status: 503, body: { reason: 'storage_unavailable' } });
      expect(seconds(milliseconds)).toBeLessThan(1);
    }
    await server.tell('start');
    await expect.poll(async () => (await service.request({ url: '/readyz' })).status, { timeout: 10_000 }).toBe(200);
    expect((await upload()).status).toBe(200);
    // No other one took its work over.
    const { rows } = await sql<{ state: string }>`select state from replicas`.execute(service.database);
    expect(rows).toEqual([{ state: 'live' }]);
  }, 60_000);
});

it.runIf(looksClosely)(
  'messages that are answered while PostgreSQL loses connections and restarts all end as answered',
  async () => {
    const server = await startPostgres();
    const { url } = await freshDatabase(server.url);
    const fake = createFakePlatform();
    const service = await startTestService({
      databaseUrl: url,
      extensions: { platforms: [fake.platform] },
      bots: [{ adapter: 'fake' }],
    });
    try {
      const pipeline = await service.database.selectFrom('pipelines').select('uuid').executeTakeFirstOrThrow();
      await service.database.updateTable('bots').set({ use_pipeline_uuid: pipeline.uuid }).execute();
      await expect.poll(() => fake.up().length).toBe(1);
      /** As a platform does, which delivers a message until it is acknowledged. */
      const deliver = async (number: number) => {
        const event = messageEvent(`question ${number}`, {
          session_id: `chat ${number % 10}`,
          platform_message_id: `${number}`,
        });
        for (;;) {
          try {
            return await fake.up()[0]?.context.receive(event);
          } catch {
            await wait(50);
          }
        }
      };
      const cut = async () => {
        const admin = new Client({ connectionString: url });
        await admin.connect();
        await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
        );
        await admin.end();
      };
      const delivered: Promise<unknown>[] = [];
      for (let number = 0; number < 60; number += 1) {
        delivered.push(deliver(number));
        await wait(30);
        if (number % 20 === 10) await cut();
        if (number === 40) {
          await server.tell('crash');
          await server.tell('start');
        }
      }
      await Promise.all(delivered);
      const states = async () => {
        const rows = await service.database
          .selectFrom('messages')
          .select(({ fn }) => ['state', 'reason', fn.countAll().as('count')])
          .where('direction', '=', 'inbound')
          .groupBy(['state', 'reason'])
          .execute()
          .catch(() => []);
        return rows.map(({ state, reason, count }) => `${state}: ${reason}: ${count}`);
      };
      await expect.poll(states, { timeout: 30_000 }).toEqual(['answered: answered: 60']);
      const uncertain = await service.database
        .selectFrom('deliveries')
        .select('message_uuid')
        .where('state', '=', 'uncertain')
        .execute();
      // None twice; and none is missing without being marked.
      const questions = fake.sent.map(({ message_chain }) => /question \d+/.exec(JSON.stringify(message_chain))?.[0]);
      expect(new Set(questions).size).toBe(questions.length);
      expect(questions.length + uncertain.length).toBeGreaterThanOrEqual(60);
    } finally {
      await service.stop();
      await server.stop();
    }
  },
  90_000,
);
