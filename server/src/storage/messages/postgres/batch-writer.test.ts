import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { conversationKey, messageEvent } from '../../../../test/stores/ledger-records.ts';
import { openTestStorage } from '../../../../test/stores/open-test-storage.ts';
import type { StoredReceipt } from '../../../core/messages/message-ledger.ts';
import type { Tables } from '../../database.ts';
import { PostgresKysely } from '../../postgres-database.ts';
import type { Storage } from '../../storage.ts';
import { createLedgerTables } from '../ledger-tables.ts';
import { createLedger, type Ledger } from '../open-ledger.ts';
import { BatchWriter } from './batch-writer.ts';
import { executeLedgerBatch, type LedgerOperation } from './ledger-batch.ts';

/** Raises an error for messages of some texts, some of them when their transaction is committed. */
const plantFaults = [
  `create sequence conflicts`,
  `create function refuse() returns trigger language plpgsql as $$ begin
    if new.text = 'refused' then raise exception using errcode = '23514', message = 'refused'; end if;
    if new.text = 'in conflict' and nextval('conflicts') < 3 then
      raise exception using errcode = '40P01', message = 'deadlock';
    end if;
    return null;
  end $$`,
  `create function refuse_commit() returns trigger language plpgsql as $$ begin
    if new.text = 'refused at commit' then raise exception using errcode = '23514', message = 'refused at commit'; end if;
    return null;
  end $$`,
  `create trigger refuse after insert on messages for each row execute function refuse()`,
  `create constraint trigger refuse_commit after insert on messages deferrable initially deferred
    for each row execute function refuse_commit()`,
];

let storage: Storage;
let database: PostgresKysely;
let ledger: Ledger;
beforeAll(async () => {
  storage = await openTestStorage('postgres');
  if (!(storage.database instanceof PostgresKysely)) throw new Error('not PostgreSQL');
  database = storage.database;
  for (const statement of plantFaults) await sql.raw(statement).execute(database);
  ledger = createLedger(database, 'postgres', { webhookWaitMs: 0, mayTellWebhooks: () => false });
});
afterAll(() => storage.close());
beforeEach(async () => {
  await sql`truncate messages, conversations cascade`.execute(database);
});

const accept = (text: string, session_id: string) =>
  ledger.messages.accept(conversationKey({ session_id }), messageEvent(text, { session_id }));
/** Stores a message in each of many conversations at once. */
const acceptMany = (texts: readonly string[]) =>
  Promise.allSettled(texts.map((text, index) => accept(text, `person ${index}`)));
const storedTexts = async () => {
  const rows = await database.selectFrom('messages').select('text').execute();
  return rows.map(({ text }) => text).sort();
};
const textsWith = (text: string) => Array.from({ length: 60 }, (_, index) => (index === 30 ? text : `text ${index}`));
const failures = (outcomes: readonly PromiseSettledResult<StoredReceipt>[]) =>
  outcomes.flatMap((outcome, index) => (outcome.status === 'rejected' ? [index] : []));

it('fails only the operation whose data the database refuses', async () => {
  const texts = textsWith('refused');
  const outcomes = await acceptMany(texts);
  expect(failures(outcomes)).toEqual([30]);
  expect(outcomes[30]).toMatchObject({ reason: { name: 'StorageError', detail: 'constraint' } });
  expect(await storedTexts()).toEqual(texts.filter((text) => text !== 'refused').sort());
  await accept('later', 'person 30');
  expect(await storedTexts()).toContain('later');
});

it('stores all or nothing of messages that are to be stored together', async () => {
  const arrivals = ['one', 'refused', 'three'].map((text) => ({ key: conversationKey(), event: messageEvent(text) }));
  const [together, alone] = await Promise.allSettled([ledger.messages.acceptAll(arrivals), accept('alone', 'bob')]);
  expect([together.status, alone.status]).toEqual(['rejected', 'fulfilled']);
  expect(await storedTexts()).toEqual(['alone']);
});

it('fails all operations of a batch whose commit fails', async () => {
  const outcomes = await acceptMany(textsWith('refused at commit'));
  expect(failures(outcomes)).toHaveLength(60);
  expect(await storedTexts()).toEqual([]);
  await accept('later', 'ada');
  expect(await storedTexts()).toEqual(['later']);
});

it('repeats a batch that another transaction was in the way of', async () => {
  const texts = textsWith('in conflict');
  expect(failures(await acceptMany(texts))).toEqual([]);
  expect(await storedTexts()).toEqual([...texts].sort());
});

it('reports nothing as stored that is not, when connections are cut', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
  let cut = 0;
  for (let round = 0; round < 8; round += 1) {
    await sql`truncate messages, conversations cascade`.execute(database);
    const asked = acceptMany(texts);
    for (let turn = 0; turn <= round; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    database.cutConnections();
    const outcomes = await asked;
    const failed = failures(outcomes);
    cut += failed.length === 0 ? 0 : 1;
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'unavailable' });
    }
    await expect.poll(storedTexts).toEqual(expect.arrayContaining(texts.filter((_, index) => !failed.includes(index))));
  }
  expect(cut).toBeGreaterThan(0);
});

it('stores in the order of asking, however much there is for one conversation', async () => {
  const texts = Array.from({ length: 600 }, (_, index) => `text ${index}`);
  const receipts = await Promise.all(texts.map((text) => accept(text, 'busy')));
  expect(receipts.map(({ sequence }) => sequence)).toEqual(texts.map((_, index) => index + 1));
});

function openWriter() {
  const tables = createLedgerTables(database, 'postgres', { webhookWaitMs: 0, mayTellWebhooks: () => false });
  return new BatchWriter<LedgerOperation>(database.batches, (pipeline, operations) =>
    executeLedgerBatch(tables, pipeline, operations),
  );
}

it('lets no statement of an operation leave its transaction when another operation fails', async () => {
  const writer = openWriter();
  const alone = (key: string, work: (transaction: Transaction<Tables>) => Promise<unknown>) =>
    writer.add({ kind: 'other', company: 'alone', keys: [key], size: 0, work });
  const insert = (transaction: Transaction<Tables>, key: string) =>
    transaction.insertInto('metadata').values({ key, value: key }).execute();
  const [failed, slow] = await Promise.allSettled([
    alone('a', () => Promise.reject(new TypeError('not storable'))),
    alone('b', async (transaction) => {
      for (const key of ['batch 1', 'batch 2', 'batch 3']) await insert(transaction, key);
    }),
  ]);
  expect([failed.status, slow.status]).toEqual(['rejected', 'fulfilled']);
  const rows = await database.selectFrom('metadata').select('key').where('key', 'like', 'batch%').execute();
  expect(rows.map(({ key }) => key)).toEqual(['batch 1', 'batch 2', 'batch 3']);
});

it('refuses messages while too much waits to be stored', async () => {
  const writer = openWriter();
  const arrive = (key: string) =>
    writer.add({
      kind: 'other',
      company: 'alone',
      keys: [key],
      size: 40_000_000,
      arrives: true,
      work: async () => 'stored',
    });
  const outcomes = await Promise.allSettled([arrive('a'), arrive('b')]);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 'stored' },
    { status: 'rejected', reason: expect.objectContaining({ name: 'StorageError', detail: 'overloaded' }) },
  ]);
  expect(await arrive('c')).toBe('stored');
});
