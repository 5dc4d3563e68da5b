import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from '../../../test/stores/each-engine.ts';
import { makeStoragePlace } from '../../../test/stores/open-test-storage.ts';
import { openPostgres } from '../postgres-database.ts';
import { openStorage, type Storage } from '../storage.ts';
import { migrations } from './index.ts';
import { migrate, missingMigrations } from './migrate.ts';
import type { Migration } from './migration.ts';

const addPets: Migration = {
  name: '9001-pets',
  statements: (schema) => [schema.createTable('pets').addColumn('name', 'text')],
};
const addPetsDifferently: Migration = {
  name: '9001-pets',
  statements: (schema) => [schema.createTable('pets').addColumn('nickname', 'text')],
};
const failsHalfWay: Migration = {
  name: '9002-half-way',
  statements: (schema) => [
    schema.createTable('toys').addColumn('name', 'text'),
    schema.createIndex('toys_by_nothing').on('nowhere').column('name'),
  ],
};

describe.each(engines)('migrations on %s', (engine) => {
  const withStorage = async (use: (storage: Storage) => Promise<void>) => {
    const place = await makeStoragePlace(engine);
    const storage = await openStorage(place);
    try {
      await use(storage);
    } finally {
      await storage.close();
      await place.remove();
    }
  };
  const applied = async ({ database }: Storage) => {
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(database);
    return rows.map(({ name }) => name);
  };
  const tableNames = async ({ database }: Storage) =>
    (await database.introspection.getTables()).map(({ name }) => name);

  it('are applied once', () =>
    withStorage(async (storage) => {
      expect(await applied(storage)).toEqual(migrations.map(({ name }) => name));
      expect(await migrate(storage.database, engine)).toEqual([]);
      expect(await missingMigrations(storage.database, engine, [...migrations, addPets])).toEqual([addPets.name]);
      expect(await migrate(storage.database, engine, [...migrations, addPets])).toEqual([addPets.name]);
      expect(await missingMigrations(storage.database, engine, [...migrations, addPets])).toEqual([]);
      await (storage.database as unknown as Kysely<{ pets: { name: string } }>)
        .insertInto('pets')
        .values({ name: 'Rex' })
        .execute();
      await migrate(storage.database, engine, [...migrations, addPets]);
      const { rows } = await sql`select name from pets`.execute(storage.database);
      expect(rows).toEqual([{ name: 'Rex' }]);
    }));

  it('that changed after they were applied are refused', () =>
    withStorage(async (storage) => {
      await migrate(storage.database, engine, [...migrations, addPets]);
      await expect(migrate(storage.database, engine, [...migrations, addPetsDifferently])).rejects.toThrow(
        'The migration 9001-pets was changed after it had been applied to this database',
      );
    }));

  it('that the program does not know are refused', () =>
    withStorage(async (storage) => {
      await migrate(storage.database, engine, [...migrations, addPets]);
      await expect(migrate(storage.database, engine)).rejects.toThrow(
        'The database was made by a newer version of Parley: it has the migration 9001-pets',
      );
    }));

  it('that a newer program added without narrowing are no obstacle, also to those of this one', () =>
    withStorage(async (storage) => {
      const expanded: Migration = { ...addPets, kind: 'expand' };
      await migrate(storage.database, engine, [...migrations, expanded]);
      expect(await migrate(storage.database, engine)).toEqual([]);
      expect(await missingMigrations(storage.database, engine)).toEqual([]);
      const contracted: Migration = { name: '9003-none', kind: 'contract', statements: () => [] };
      expect(await migrate(storage.database, engine, [...migrations, expanded, contracted])).toEqual(['9003-none']);
      await expect(migrate(storage.database, engine)).rejects.toThrow('it has the migration 9003-none');
    }));

  it('are applied to tables of versions that stored no kinds, and only read before', () =>
    withStorage(async (storage) => {
      await sql`alter table migrations drop column kind`.execute(storage.database);
      expect(await missingMigrations(storage.database, engine, [...migrations, addPets])).toEqual([addPets.name]);
      expect(await migrate(storage.database, engine, [...migrations, { ...addPets, kind: 'expand' }])).toEqual([
        addPets.name,
      ]);
      const { rows } = await sql`select name, kind from migrations where kind is not null`.execute(storage.database);
      expect(rows).toEqual([{ name: addPets.name, kind: 'expand' }]);
    }));

  it('that fail leave nothing half done, and go on once they are mended', () =>
    withStorage(async (storage) => {
      await expect(migrate(storage.database, engine, [...migrations, addPets, failsHalfWay])).rejects.toThrow();
      expect(await applied(storage)).toEqual([...migrations, addPets].map(({ name }) => name));
      expect(await tableNames(storage)).toContain('pets');
      expect(await tableNames(storage)).not.toContain('toys');
      const mended: Migration = {
        ...failsHalfWay,
        statements: (schema, on) => failsHalfWay.statements(schema, on).slice(0, 1),
      };
      await migrate(storage.database, engine, [...migrations, addPets, mended]);
      expect(await tableNames(storage)).toContain('toys');
    }));
});

it('several processes bring the same PostgreSQL up to date at once', async () => {
  const place = await makeStoragePlace('postgres');
  const databases = await Promise.all(Array.from({ length: 4 }, () => openPostgres(place.databaseUrl as string)));
  try {
    await Promise.all(databases.map((database) => migrate(database, 'postgres', [...migrations, addPets])));
    const [database] = databases;
    if (database === undefined) throw new Error('there is no database');
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(database);
    expect(rows.map(({ name }) => name)).toEqual([...migrations, addPets].map(({ name }) => name));
  } finally {
    await Promise.all(databases.map((database) => database.destroy()));
    await place.remove();
  }
});

it('a migration that waits for a long read lets other reads through, and is applied after it', async () => {
  const place = await makeStoragePlace('postgres');
  const [migrating, reading] = await Promise.all([1, 2].map(() => openPostgres(place.databaseUrl as string)));
  if (migrating === undefined || reading === undefined) throw new Error('there is no database');
  try {
    await migrate(migrating, 'postgres', [...migrations, addPets]);
    const addAges: Migration = {
      name: '9004-ages',
      kind: 'expand',
      statements: (schema) => [schema.alterTable('pets').addColumn('age', 'integer')],
    };
    const waiting = sql<object>`select 1 from pg_locks where relation = 'pets'::regclass and not granted`;
    let isApplied = false;
    let applying: Promise<void> | undefined;
    await reading.transaction().execute(async (transaction) => {
      await sql`select count(*) from pets`.execute(transaction);
      applying = migrate(migrating, 'postgres', [...migrations, addPets, addAges]).then(() => {
        isApplied = true;
      });
      await expect.poll(async () => (await waiting.execute(reading)).rows.length).toBe(1);
      await sql`select count(*) from pets`.execute(reading);
      expect(isApplied).toBe(false);
    });
    await applying;
    expect((await sql`select age from pets`.execute(reading)).rows).toEqual([]);
  } finally {
    await Promise.all([migrating.destroy(), reading.destroy()]);
    await place.remove();
  }
});
