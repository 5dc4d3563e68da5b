import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type LogEvent, sql } from 'kysely';
import postgres from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { engines } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent, plain } from '../../../test/stores/ledger-records.ts';
import { answered, answerOf, noRecord, partOf, sent } from '../../../test/stores/ledger-steps.ts';
import { makeMigratedPlace, type StoragePlace } from '../../../test/stores/open-test-storage.ts';
import { enterReplica } from '../../../test/stores/replicas.ts';
import type { Database, Tables } from '../database.ts';
import { StorablePostgresDialect, StorableSqliteDialect } from '../dialects.ts';
import { NodeSqlite } from '../node-sqlite.ts';
import { unusedPlans } from '../postgres-pipeline.ts';
import { SqliteWriter } from '../sqlite-writer.ts';
import { openStorage } from '../storage.ts';
import { KyselyWebhookDeliveryStore } from '../webhooks/kysely-webhook-delivery-store.ts';
import { KyselyMessageRetention } from './kysely-message-retention.ts';
import { createLedger, type Ledger } from './open-ledger.ts';
import { batchStatements } from './postgres/batch-statements.ts';
import { endEarly } from './postgres/early-results.ts';

/** Observes how the statements of a ledger are executed. */
interface Watched {
  ledger: Ledger;
  database: Database;
  /** Each step of each statement that some work ran. */
  plansOf(work: () => Promise<unknown>): Promise<string[]>;
  /** Steps that read more the more there is. */
  slow(steps: readonly string[]): string[];
  close(): Promise<void>;
}

async function watch(place: StoragePlace): Promise<Watched> {
  const opened = await openStorage(place);
  const claimant = await enterReplica(opened.database);
  await opened.close();
  const statements = new Map<string, readonly unknown[]>();
  const log = ({ query }: LogEvent) => void statements.set(query.sql, query.parameters);
  const noted = async (work: () => Promise<unknown>) => {
    statements.clear();
    await work();
    return [...statements].filter(([statement]) => /^\s*(select|insert|update|delete|with)\b/i.test(statement));
  };
  return place.databaseUrl === null ? watchSqlite(place.dataDir) : watchPostgres(place.databaseUrl);

  async function watchSqlite(folder: string): Promise<Watched> {
    const file = new DatabaseSync(join(folder, 'parley.db'));
    const sqlite = new NodeSqlite(file);
    const writer = new SqliteWriter(sqlite, () => {});
    const readCommitted = (statement: string, parameters: readonly unknown[]) => sqlite.run(statement, parameters).rows;
    const dialect = new StorableSqliteDialect({ writer, readCommitted, close: () => writer.close() });
    const database = new Kysely<Tables>({ dialect, log });
    return {
      database,
      ledger: createLedger(database, 'sqlite', { webhookWaitMs: 0, claimant }),
      plansOf: async (work) =>
        (await noted(work)).flatMap(([statement, parameters]) =>
          file
            .prepare(`explain query plan ${statement}`)
            .all(...(parameters as string[]))
            .map(({ detail }) => `${detail}  <-  ${statement}`),
        ),
      // Parts of a claim have a limit.
      slow: (steps) => steps.filter((step) => /^SCAN (?!json_each|first |again )|TEMP B-TREE/.test(step)),
      close: () => database.destroy(),
    };
  }

  async function watchPostgres(connectionString: string): Promise<Watched> {
    const pool = new postgres.Pool({ connectionString, max: 2 });
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    const database = new Kysely<Tables>({ dialect: new StorablePostgresDialect({ pool }), log });
    return {
      database,
      ledger: createLedger(database, 'postgres', { webhookWaitMs: 0, claimant }),
      plansOf: async (work) => {
        const steps: string[] = [];
        for (const [statement] of await noted(work)) {
          const { rows } = await pool.query(`explain (generic_plan) ${statement}`);
          for (const row of rows) steps.push(`${row['QUERY PLAN']}  <-  ${statement}`);
        }
        return steps;
      },
      // There are few replicas.
      slow: (steps) => steps.filter((step) => /Seq Scan/.test(step) && !/ on replicas /.test(step)),
      close: () => database.destroy(),
    };
  }
}

describe.each(engines)('the ledger on %s', (engine) => {
  let place: StoragePlace;
  let watched: Watched;
  beforeAll(async () => {
    place = await makeMigratedPlace(engine);
    watched = await watch(place);
    if (engine === 'postgres') await fill(watched.database);
  });
  afterAll(async () => {
    await watched.close();
    await place.remove();
  });
  const ledger = () => watched.ledger;
  const accept = (text: string) => ledger().messages.accept(conversationKey(), messageEvent(text));
  const claimed = async () => {
    const message = await claimOne(ledger().messages, []);
    if (message === null) throw new Error('nothing was waiting');
    return message;
  };
  const conversation = async () => {
    const current = await ledger().conversations.current(conversationKey());
    if (current === null) throw new Error('there is no conversation');
    return current;
  };
  const life = async () => {
    for (const text of ['one', 'two', 'three', 'four']) await accept(text);
    const message = await claimed();
    const { message: answer } = await ledger().deliveries.finishAnswer(message, answerOf(['a', 'b']), noRecord);
    await ledger().deliveries.storeHandle(partOf(answer.uuid, 1, message), []);
    await ledger().deliveries.settleDelivery(partOf(answer.uuid, 0, message), sent);
    const wait = { reason: 'quota', error: 'Wait', until: '2026', unconfirmed_since: null } as const;
    const postponed = { answer_uuid: answer.uuid, piece: 1, ...wait };
    await ledger().deliveries.postponeDelivery(message, postponed);
    await ledger().messages.expedite([message.conversation_uuid]);
    const again = await claimed();
    await ledger().deliveries.beginDelivery(partOf(answer.uuid, 1, again));
    const end = { answer: { uuid: answer.uuid, piece: 1, delivery: sent }, merged: [], record: null };
    await ledger().messages.settle(again, answered, end);
    const next = await claimed();
    await ledger().deliveries.beginAnswer(next);
    await ledger().deliveries.answerTo(next.uuid);
    const [behind] = await ledger().messages.waitingBehind(next, 10);
    await ledger().messages.settle(next, answered, { answer: null, merged: [behind?.uuid ?? ''], record: noRecord });
    const last = await claimed();
    await ledger().messages.release(last, { until: '2099-01-01T00:00:00.000Z', reason: 'rate_limited' });
  };

  it.each<[string, () => Promise<unknown>]>([
    ['storing a message', () => accept('zero')],
    [
      'taking a message',
      async () => ledger().messages.settle(await claimed(), answered, { answer: null, merged: [], record: null }),
    ],
    [
      'failing a message that was sent',
      async () => {
        await accept('five');
        const message = await claimed();
        const { message: answer } = await ledger().deliveries.finishAnswer(message, answerOf('a'), noRecord);
        const delivery = { ...sent, platform_message_id: 'p-1' };
        const end = { answer: { uuid: answer.uuid, piece: 0, delivery }, merged: [], record: null };
        await ledger().messages.settle(message, answered, end);
        const failure = { reason: 'quota', message: 'Used up' } as const;
        expect(await ledger().deliveries.failDelivered(message.bot_uuid, 'p-1', failure)).not.toBeNull();
      },
    ],
    ['storing, answering and ending messages', life],
    ['saying when the next one is due', () => ledger().messages.nextDue()],
    [
      'stopping waiting messages',
      async () => ledger().messages.stopWaiting((await conversation()).uuid, 1000, 'reset'),
    ],
    ['reading the history', async () => ledger().history.before((await conversation()).uuid, 1000, 10)],
    ['looking at a conversation', async () => ledger().history.shown((await conversation()).uuid, 10)],
    [
      'reading the effects of plugins',
      async () => {
        await ledger().effects.verdictsOn('m-1');
        await ledger().effects.openReplies('m-1');
      },
    ],
    ['sending unasked', () => ledger().deliveries.createOutgoing(conversationKey(), plain('news'), 'news')],
    ['ending a conversation', () => ledger().conversations.endCurrent(conversationKey())],
  ])('reads no more when there is more: %s', async (_, work) => {
    const steps = await watched.plansOf(work);
    expect(steps.length).toBeGreaterThan(0);
    expect(watched.slow(steps)).toEqual([]);
  });

  it('reads the history from the index on what was said', async () => {
    const { conversation_uuid: uuid } = await accept('one');
    const history = await watched.plansOf(() => ledger().history.before(uuid, 1000, 10));
    const index = history.filter((step) => /messages_said/.test(step.split('  <-  ')[0] ?? ''));
    // Of questions and of unsolicited messages.
    expect(index).toHaveLength(2);
  });

  it.each<[string, (webhooks: KyselyWebhookDeliveryStore) => Promise<unknown>]>([
    [
      'claiming the deliveries due to a webhook',
      async (webhooks) => {
        const { webhook_id } = await sentOnce();
        expect(await webhooks.claim(webhook_id, { now: 1, limit: 8, running: [] })).toHaveLength(1);
      },
    ],
    ['when something is to be sent', (webhooks) => webhooks.nextDue(1)],
    ['the webhook responses for a message', (webhooks) => webhooks.firstAnswers('m-1', 1)],
    ['the log of a webhook', (webhooks) => webhooks.page(1, null, 10, 1000)],
    ['some of the log of a webhook', (webhooks) => webhooks.page(1, 'failed', 10, 1000)],
    ['one delivery', (webhooks) => webhooks.find(1, 'm-1')],
    ['retrying waiting deliveries', (webhooks) => webhooks.retryNow(1, 1)],
    ['sending something again', (webhooks) => webhooks.redeliver(1, 'm-1', { now: 1, expires_at: 2 })],
    [
      'recording an attempt',
      async (webhooks) => {
        const { webhook_id } = await sentOnce();
        const [delivery] = await webhooks.claim(webhook_id, { now: 1, limit: 8, running: [] });
        if (delivery === undefined) throw new Error('nothing was due');
        expect(await webhooks.record(delivery, attempt, ended, 1)).toBe(true);
      },
    ],
    ['removing old deliveries', (webhooks) => webhooks.removeBefore(0, 10)],
  ])('reads no more when there is more: %s', async (_, work) => {
    const steps = await watched.plansOf(() =>
      work(new KyselyWebhookDeliveryStore(watched.database, engine, { id: 'replica' })),
    );
    expect(steps.length).toBeGreaterThan(0);
    expect(watched.slow(steps)).toEqual([]);
  });
  const attempt = { started_at: '2026', milliseconds: 1, status: 200, error: null, answer: null };
  const ended = { state: 'delivered', due_at: null, skips: true, disables: 'gone', paused_until: 2 } as const;
  const sentOnce = async () => {
    await accept('sent');
    const [message] = await ledger().history.shown((await conversation()).uuid, 1);
    if (message === undefined) throw new Error('there is no message');
    const webhook = {
      name: 'w',
      url: 'http://127.0.0.1/',
      description: '',
      enabled: 1,
      created_at: '',
      updated_at: '',
    };
    const { id } = await watched.database
      .insertInto('webhooks')
      .values(webhook)
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = { message_uuid: message.uuid, conversation_uuid: message.conversation_uuid, state: 'pending' };
    await watched.database
      .insertInto('webhook_deliveries')
      .values({ ...row, webhook_id: id, attempts: 0, due_at: 1, expires_at: 1, skips: 0, created_at: '2026' })
      .execute();
    return { webhook_id: id };
  };

  it('reads only due deliveries when taking over those of dead replicas', async () => {
    const store = new KyselyWebhookDeliveryStore(watched.database, engine, { id: 'replica' });
    const steps = await watched.plansOf(() => store.recover());
    const reads = steps.filter((step) => /(Scan|SCAN).* webhook_deliveries/.test(step.split('  <-  ')[0] ?? ''));
    expect(reads.length).toBeGreaterThanOrEqual(2);
    for (const read of reads) expect(read).toMatch(/webhook_deliveries_(first|again|pkey)/);
  });

  it('reads only old rows when removing these', async () => {
    const retention = new KyselyMessageRetention(watched.database);
    await accept('five');
    const steps = await watched.plansOf(async () => {
      expect(await retention.removeBefore('2030-01-01T00:00:00.000Z', 1)).toBe(1);
      expect(await retention.removeBefore('2000-01-01T00:00:00.000Z', 1)).toBe(0);
    });
    expect(watched.slow(steps)).toEqual([]);
    if (engine === 'sqlite') expect(steps.some((step) => step.includes('messages_by_age'))).toBe(true);
    expect(steps.some((step) => step.includes('conversations_ended'))).toBe(true);
  });

  it('would be seen to read all of it', async () => {
    const { database } = watched;
    const steps = await watched.plansOf(() =>
      database.selectFrom('messages').select('uuid').where('text', '=', 'one').execute(),
    );
    expect(watched.slow(steps)).toHaveLength(1);
  });

  it.runIf(engine === 'postgres')('reads no more when there is more: batches', async () => {
    const explain = async (database: Database, statement: string) => {
      const { rows } = await sql.raw<object>(`explain (generic_plan) ${statement}`).execute(database);
      return rows.map((row) => `${Object.values(row)[0]}  <-  ${statement}`);
    };
    const steps = await watched.database.transaction().execute(async (transaction) => {
      for (const name of unusedPlans) await sql.raw(`set local ${name} = off`).execute(transaction);
      const explained: string[] = [];
      for (const statement of Object.values(batchStatements)) {
        explained.push(...(await explain(transaction, statement.sql)));
      }
      return explained;
    });
    steps.push(...(await explain(watched.database, endEarly.sql)));
    expect(watched.slow(steps).filter((step) => !/on record_version/.test(step))).toEqual([]);
  });

  it.runIf(engine === 'sqlite')('reads only waiting messages on recovery', async () => {
    const steps = await watched.plansOf(() => ledger().messages.recover());
    const scans = steps.filter((step) => step.startsWith('SCAN')).map((step) => step.split('  <-  ')[0]);
    expect(new Set(scans)).toEqual(new Set(['SCAN messages USING INDEX messages_waiting', 'SCAN replicas']));
  });

  it.each([
    ['all but some', { except: ['another'] }],
    ['some', { only: ['another'] }],
  ])('looks once at each bot with work where %s are claimed, and at nothing else', async (_, bots) => {
    await accept('one');
    const steps = await watched.plansOf(() => ledger().messages.claim(bots, 1));
    expect(steps.some((step) => step.includes('queue_due_by_bot'))).toBe(true);
    const slow = watched.slow(steps).map((step) => step.split('  <-  ')[0]);
    const ofBots = engine === 'sqlite' ? ['SCAN queued', 'USE TEMP B-TREE FOR ORDER BY'] : [];
    expect(new Set(slow)).toEqual(new Set(ofBots));
  });
});

/** PostgreSQL uses an index only where it knows of many rows. */
async function fill(database: Database): Promise<void> {
  await sql`insert into conversations
    (uuid, bot_uuid, pipeline_uuid, session_type, session_id, thread_id, is_current, last_sequence, created_at, updated_at)
    select 'c-' || number, 'b', 'p', 'person', 's' || number, '', 1, 20, '2026', '2026'
    from generate_series(1, 20000) as number`.execute(database);
  await sql`insert into replaced_messages select uuid, 30, 40, 'r', '2026' from conversations`.execute(database);
  await sql`insert into messages
    (uuid, bot_uuid, conversation_uuid, direction, platform_message_id, reply_to, sequence, sender_id, sender_name,
      message_chain, text, state, reason, created_at)
    select 'm-' || number, 'b', 'c-' || (number % 20000) + 1, 'inbound', 'p-' || number, 'r-' || number,
      number / 20000 + 1, 'ada', 'Ada', '[]', 'old', case when number % 100 = 0 then 'received' else 'answered' end,
      'answered', '2026'
    from generate_series(0, 39999) as number`.execute(database);
  await sql`insert into deliveries (message_uuid, piece, state, idempotency_token, platform_message_id, created_at, updated_at)
    select uuid, 0, 'sent', uuid, uuid, '2026', '2026' from messages`.execute(database);
  await sql`insert into delivery_handles select uuid, 0, '[]' from messages`.execute(database);
  await sql`insert into plugin_effects
    (message_uuid, plugin_id, point, kind, ordinal, reply_uuid, content, created_at)
    select uuid, 'example/plugin', 'received', 'reply', 0, uuid, '{}', '2026' from messages`.execute(database);
  await sql`insert into message_traces select uuid, '{}' from messages`.execute(database);
  await sql`insert into queue (conversation_uuid, bot_uuid, is_running, due_at)
    select uuid, 'b-' || row_number() over () % 7, 0, 9999999999999 from conversations`.execute(database);
  await sql`insert into webhooks (name, url, description, enabled, created_at, updated_at)
    select 'w', 'http://127.0.0.1/', '', case when number = 1 then 1 else 0 end, '2026', '2026'
    from generate_series(1, 20000) as number`.execute(database);
  await sql`insert into webhook_deliveries
    (webhook_id, message_uuid, conversation_uuid, state, attempts, expires_at, skips, created_at)
    select id, uuid, conversation_uuid, case when sequence > 1 then 'pending' else 'delivered' end, 1, 0, 0, '2026'
    from messages, (select min(id) as id from webhooks) as first`.execute(database);
  await sql`insert into webhook_attempts (delivery, number, started_at, milliseconds)
    select position, 1, '2026', 1 from webhook_deliveries`.execute(database);
  await sql`insert into bots
    (uuid, name, description, adapter, adapter_config, enable, created_at, updated_at)
    select 'b-' || number, 'b', '', 'fake', '{}', 1, '2026', '2026' from generate_series(1, 20000) as number`.execute(
    database,
  );
  await sql`analyze`.execute(database);
}
