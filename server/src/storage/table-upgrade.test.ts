import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { looksClosely } from '../../test/shared/looks-closely.ts';
import { makeStoragePlace, type StoragePlace } from '../../test/stores/open-test-storage.ts';
import { newUuid } from '../lib/uuid.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { migrations } from './migrations/index.ts';
import { missingMigrations } from './migrations/migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { openPostgres, type PostgresKysely } from './postgres-database.ts';
import { expandTables, requiredMigrations, upgradeTables } from './table-upgrade.ts';

const addToys: Migration = {
  name: '9001-toys',
  kind: 'expand',
  statements: (schema) => [schema.createTable('toys').addColumn('name', 'text').addColumn('old_name', 'text')],
};
const removeOldNames: Migration = {
  name: '9002-old-names',
  kind: 'contract',
  statements: (schema) => [schema.alterTable('toys').dropColumn('old_name')],
};
const addAges: Migration = {
  name: '9003-ages',
  kind: 'expand',
  statements: (schema) => [schema.alterTable('toys').addColumn('age', 'integer')],
};
const all = [...migrations, addToys, removeOldNames, addAges];

describe('the tables of a PostgreSQL database', () => {
  let place: StoragePlace;
  let database: PostgresKysely;
  beforeEach(async () => {
    place = await makeStoragePlace('postgres');
    database = await openPostgres(place.databaseUrl as string);
  });
  afterEach(async () => {
    await database.destroy();
    await place.remove();
  });

  const insert = async (schema: string | null) => {
    const id = newUuid();
    await database
      .insertInto('replicas')
      .values({ id, folder: newUuid(), version: '1', state: 'live', beat: 1, started_at: '2026', schema })
      .execute();
    return id;
  };
  /** A replica as its row shows it, which is all that others know. @param schema the last migration that it knows */
  const enter = async (schema: string | null) => {
    const id = await insert(schema);
    const beating = setInterval(() => void beat().catch(() => {}), 100);
    const beat = () =>
      database
        .updateTable('replicas')
        .set(({ eb }) => ({ beat: eb('beat', '+', 1) }))
        .where('id', '=', id)
        .execute();
    return async () => {
      clearInterval(beating);
      await database.deleteFrom('replicas').where('id', '=', id).execute();
    };
  };
  const columns = async () => {
    const tables = await database.introspection.getTables();
    return tables.find(({ name }) => name === 'toys')?.columns.map(({ name }) => name);
  };

  it('are all made in a new database', async () => {
    expect(await requiredMigrations(database, 'postgres', all)).toHaveLength(all.length);
    expect(await expandTables(database, null, all)).toHaveLength(all.length);
    expect(await columns()).toEqual(['name', 'age']);
  });

  it('are only expanded by a start, whatever works on them', async () => {
    await expandTables(database, null);
    const leave = await enter(migrations.at(-1)?.name ?? null);
    expect(await requiredMigrations(database, 'postgres', all)).toEqual([addToys.name, addAges.name]);
    expect(await expandTables(database, null, all)).toEqual([addToys.name, addAges.name]);
    expect(await columns()).toEqual(['name', 'old_name', 'age']);
    expect(await requiredMigrations(database, 'postgres', all)).toEqual([]);
    // The version before starts again.
    expect(await expandTables(database, null)).toEqual([]);
    await leave();
  });

  it('are narrowed once no replica of an earlier version is left', async () => {
    await expandTables(database, null);
    const leaves = await Promise.all([null, addToys.name].map((schema) => enter(schema)));
    const stay = await Promise.all([removeOldNames.name, addAges.name, '9999-unknown'].map((schema) => enter(schema)));
    for (const leave of leaves) {
      expect(await upgradeTables(database, all)).toMatchObject({ waiting: [removeOldNames.name] });
      expect(await columns()).toEqual(['name', 'old_name', 'age']);
      await leave();
    }
    expect(await upgradeTables(database, all)).toEqual({ applied: [removeOldNames.name], waiting: [] });
    expect(await columns()).toEqual(['name', 'age']);
    for (const leave of stay) await leave();
  });

  it.runIf(looksClosely)('are narrowed when all of an earlier version are dead, which are ended', async () => {
    await expandTables(database, null);
    await expandTables(database, null, all);
    for (const schema of [null, addToys.name]) await insert(schema);
    expect(await upgradeTables(database, all)).toEqual({ applied: [removeOldNames.name], waiting: [] });
    const rows = await database.selectFrom('replicas').select(['state', 'ended_by']).execute();
    expect(rows).toEqual([1, 2].map(() => ({ state: 'ended', ended_by: null })));
  });

  it('are not narrowed when a replica of an earlier version starts meanwhile', async () => {
    await expandTables(database, null);
    await expandTables(database, null, all);
    const waiting = sql<object>`select 1 from pg_locks where locktype = 'advisory' and not granted`;
    const upgrading = await database.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${advisoryLocks.migration})`.execute(transaction);
      const upgrade = upgradeTables(database, all);
      await expect.poll(async () => (await waiting.execute(database)).rows.length).toBe(1);
      return { upgrade, leave: await enter(addToys.name) };
    });
    expect(await upgrading.upgrade).toEqual({ applied: [], waiting: [removeOldNames.name] });
    expect(await columns()).toEqual(['name', 'old_name', 'age']);
    await upgrading.leave();
  });

  it('keep what narrowing them leaves', async () => {
    await expandTables(database, null);
    await expandTables(database, null, all);
    const toys = database as unknown as Kysely<{ toys: { name: string } }>;
    await toys.insertInto('toys').values({ name: 'ball' }).execute();
    expect(await upgradeTables(database, all)).toEqual({ applied: [removeOldNames.name], waiting: [] });
    expect(await toys.selectFrom('toys').selectAll().execute()).toEqual([{ name: 'ball', age: null }]);
    expect(await missingMigrations(database, 'postgres', all)).toEqual([]);
  });
});
