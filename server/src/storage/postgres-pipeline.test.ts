import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestStorage } from '../../test/stores/open-test-storage.ts';
import { PostgresKysely } from './postgres-database.ts';
import type { PostgresPipeline } from './postgres-pipeline.ts';
import type { Storage } from './storage.ts';
import { type StatementWork, storageWork } from './storage-work.ts';

let storage: Storage;
let database: PostgresKysely;
let pipeline: PostgresPipeline;
beforeAll(async () => {
  storage = await openTestStorage('postgres');
  if (!(storage.database instanceof PostgresKysely)) throw new Error('not PostgreSQL');
  database = storage.database;
  pipeline = database.batches;
});
afterAll(() => storage.close());
beforeEach(async () => {
  await sql`delete from metadata where key like 'pipeline%'`.execute(database);
});

const insert = (key: string) =>
  pipeline.send(CompiledQuery.raw('insert into metadata (key, value) values ($1, $1)', [`pipeline ${key}`]));
const stored = async () => {
  const rows = await database.selectFrom('metadata').select('key').where('key', 'like', 'pipeline%').execute();
  return rows.map(({ key }) => key.slice('pipeline '.length)).sort();
};

it('sends statements and the commit without waiting for each other', async () => {
  const roundTrips: boolean[] = [];
  const note = (work: unknown) => void roundTrips.push((work as StatementWork).isRoundTrip);
  await pipeline.begin();
  storageWork.statement.subscribe(note);
  await Promise.all([insert('one'), insert('two'), pipeline.commit()]);
  storageWork.statement.unsubscribe(note);
  await pipeline.end();
  expect(await stored()).toEqual(['one', 'two']);
  // They are sent behind `begin`.
  expect(roundTrips).toEqual([false, false, false]);
});

it('commits nothing when one of the statements failed', async () => {
  await pipeline.begin();
  const outcomes = await Promise.allSettled([insert('one'), insert('one'), insert('two'), pipeline.commit()]);
  await pipeline.end();
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(outcomes[1]).toMatchObject({ reason: { name: 'StorageError', detail: 'constraint' } });
  expect(await stored()).toEqual([]);
});

it('rolls back what its owner does not commit', async () => {
  await pipeline.begin();
  await insert('one');
  await expect(pipeline.begin()).rejects.toThrow('A transaction is in progress');
  await pipeline.end();
  expect(await stored()).toEqual([]);
  await expect(insert('outside')).rejects.toThrow('There is no transaction');
});

it('goes on with another connection when one breaks', async () => {
  await pipeline.begin();
  const inserted = insert('one');
  database.cutConnections();
  await expect(inserted).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(pipeline.commit()).rejects.toMatchObject({ kind: 'unavailable' });
  await pipeline.end();
  await pipeline.begin();
  await Promise.all([insert('two'), pipeline.commit()]);
  await pipeline.end();
  expect(await stored()).toEqual(['two']);
});

it('refuses transactions when the database is closed', async () => {
  const other = await openTestStorage('postgres');
  if (!(other.database instanceof PostgresKysely)) throw new Error('not PostgreSQL');
  const { batches } = other.database;
  await other.close();
  await expect(batches.begin()).rejects.toMatchObject({ name: 'StorageError', detail: 'closed' });
});

it('ends transactions in which nothing follows, and sets nothing for others', async () => {
  const shown = 'show idle_in_transaction_session_timeout';
  await pipeline.begin();
  const { rows } = await pipeline.send(CompiledQuery.raw(shown));
  await pipeline.commit();
  await pipeline.end();
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
  for (const begin of [database.transaction(), database.transaction().setIsolationLevel('repeatable read')]) {
    await begin.execute(async (transaction) => {
      expect((await sql.raw(shown).execute(transaction)).rows).toEqual(rows);
      const isolation = await sql`show transaction_isolation`.execute(transaction);
      expect(['read committed', 'repeatable read']).toContain(
        (isolation.rows[0] as { transaction_isolation: string }).transaction_isolation,
      );
    });
  }
  const outside = await Promise.all(Array.from({ length: 5 }, () => sql.raw(shown).execute(database)));
  for (const result of outside) expect(result.rows).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
});
