import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/storage/engine.ts';
import { type CommitWork, type StatementWork, storageWork } from '../../src/storage/storage-work.ts';
import { createFakePlatform } from '../factories/fake-platform.ts';
import { startTestService, type TestService } from '../factories/start-test-service.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import type { FreshDatabase } from '../postgres/fresh-database.ts';
import { migratedDatabase } from '../postgres/test-database.ts';
import { engines } from '../stores/each-engine.ts';
import { messageEvent } from '../stores/ledger-records.ts';

const conversations = 100;

/** Statements that only begin, divide or end transactions, whose number depends on how many are committed together. */
const isControl = (sql: string) => /^(begin|commit|rollback|savepoint|release)\b/i.test(sql);

/**
 * The most for each message: statements other than those for transactions, round trips to the database server, commits, and
 * different statements that run for (nearly) every message. How often the others run, such as looks at the queue, depends on how many messages come together:
 * on PostgreSQL 0.06 to 0.22 commits for each, by the speed of the machine, although each has several transactions.
 */
const limits: Record<Engine, { statements: number; roundTrips: number; commits: number; everyMessage: number }> = {
  sqlite: { statements: 19.5, roundTrips: 0, commits: 0.15, everyMessage: 16 },
  postgres: { statements: 4, roundTrips: 2.5, commits: 0.4, everyMessage: 0 },
};

describe.each(engines)('an answered message on %s', (engine) => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** The work for each of many messages, in conversations that write at the same time. */
  async function workOf(each: number, onSend: (service: TestService) => void = () => undefined) {
    const messages = conversations * each;
    const { service, fake } = await start();
    fake.refuse = () => onSend(service);
    const [adapter] = fake.up();
    const receive = (session_id: string, index: number) =>
      adapter?.context.receive(messageEvent(`${session_id} ${index}`, { session_id, sender_id: session_id }));
    const work = countWork();
    for (let index = 0; index < each; index += 1) {
      await Promise.all(Array.from({ length: conversations }, (_, person) => receive(`person ${person}`, index)));
    }
    await expect.poll(() => fake.sent.length, { timeout: 100_000 }).toBe(messages);
    const { statements, roundTrips, commits } = work.end();
    const counts = [...statements.values()];
    return {
      statements: counts.reduce((sum, count) => sum + count, 0) / messages,
      roundTrips: roundTrips / messages,
      commits: commits / messages,
      everyMessage: counts.filter((count) => count >= 0.9 * messages).length,
    };
  }

  async function start() {
    const database: FreshDatabase | null = engine === 'postgres' ? await migratedDatabase() : null;
    if (database !== null) ends.push(() => database.drop());
    const model: FakeOpenAi = await startFakeOpenAi();
    ends.push(() => model.close());
    const fake = createFakePlatform();
    const service = await startTestService({
      ...(database && { databaseUrl: database.url }),
      extensions: { platforms: [fake.platform] },
    });
    ends.push(() => service.stop());
    const create = async (url: string, json: object) => {
      const { status, text, body } = await service.request({
        method: 'POST',
        url,
        bearer: service.account.token,
        json,
      });
      if (status !== 200) throw new Error(`${url}: ${text}`);
      return body.data;
    };
    const provider = await create('/api/v1/provider/providers', {
      name: 'Fake',
      requester: 'openai-chat-completions',
      base_url: model.base_url,
      api_keys: ['sk-0123456789abcdefghij'],
    });
    await create('/api/v1/provider/models/llm', { name: 'large', provider_uuid: provider.uuid });
    const { body } = await service.request({ url: '/api/v1/pipelines', bearer: service.account.token });
    const use_pipeline_uuid = body.data.pipelines[0].uuid;
    await create('/api/v1/platform/bots', {
      name: 'Parrot',
      adapter: 'fake',
      adapter_config: {},
      enable: true,
      use_pipeline_uuid,
    });
    await expect.poll(() => fake.up().length).toBe(1);
    return { service, fake };
  }

  it('costs no more work than it should', async () => {
    const work = await workOf(20);
    expect(work.statements).toBeLessThanOrEqual(limits[engine].statements);
    expect(work.roundTrips).toBeLessThanOrEqual(limits[engine].roundTrips);
    expect(work.commits).toBeLessThanOrEqual(limits[engine].commits);
    expect(work.everyMessage).toBeLessThanOrEqual(limits[engine].everyMessage);
  });

  it('would be found out with one more read', async () => {
    const { everyMessage } = await workOf(20, ({ database }) => {
      void database.selectFrom('bots').select('uuid').execute();
    });
    expect(everyMessage).toBeGreaterThan(limits[engine].everyMessage);
  });
});

function countWork() {
  const counts = { statements: new Map<string, number>(), roundTrips: 0, commits: 0 };
  const noteStatement = (work: unknown) => {
    const { sql, isRoundTrip } = work as StatementWork;
    if (isRoundTrip) counts.roundTrips += 1;
    if (!isControl(sql)) counts.statements.set(sql, (counts.statements.get(sql) ?? 0) + 1);
  };
  const noteCommit = (work: unknown) => {
    if ((work as CommitWork).members > 0) counts.commits += 1;
  };
  storageWork.statement.subscribe(noteStatement);
  storageWork.commit.subscribe(noteCommit);
  const end = () => {
    storageWork.statement.unsubscribe(noteStatement);
    storageWork.commit.unsubscribe(noteCommit);
    return counts;
  };
  return { end };
}
