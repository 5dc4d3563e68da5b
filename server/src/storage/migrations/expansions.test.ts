import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeStoragePlace, type StoragePlace } from '../../../test/stores/open-test-storage.ts';
import { narrowings, readTableShapes } from '../../../test/stores/table-shapes.ts';
import { openPostgres, type PostgresKysely } from '../postgres-database.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migration.ts';

/** From here on, a program may run on tables that a newer one made. */
const firstWithKind = 42;

describe('a migration that only expands', () => {
  let place: StoragePlace;
  let database: PostgresKysely;
  beforeAll(async () => {
    place = await makeStoragePlace('postgres');
    database = await openPostgres(place.databaseUrl as string);
  });
  afterAll(async () => {
    await database.destroy();
    await place.remove();
  });

  it('takes nothing from programs of the version before', async () => {
    for (const [index, { name, kind }] of migrations.entries()) {
      const before = await readTableShapes(database);
      await migrate(database, 'postgres', migrations.slice(0, index + 1));
      if (Number.parseInt(name, 10) >= firstWithKind) expect(kind, `${name} says whether it expands`).toBeDefined();
      if (kind === 'expand') expect(narrowings(before, await readTableShapes(database)), name).toEqual([]);
    }
  });

  const changes: [string, string, string[]][] = [
    ['drops a column', 'alter table pets drop column age', ['pets.age is gone']],
    [
      'drops a table',
      'drop table pets',
      ['pets.name is gone', 'pets.age is gone', 'pets.pets_pkey is no rule any more'],
    ],
    ['renames a column', 'alter table pets rename age to years', ['pets.age is gone']],
    ['changes a type', 'alter table pets alter age type text', ['pets.age is of another type']],
    ['requires a value', 'alter table pets alter age set not null', ['pets.age must have a value']],
    [
      'adds a column that needs a value',
      'alter table pets add toy text not null',
      ['pets.toy is new and must have a value'],
    ],
    ['adds a check', 'alter table pets add constraint old check (age > 3)', ['pets.old is a new rule']],
    ['adds a unique index', 'create unique index one on pets (age)', ['pets.one is a new rule']],
    ['drops a key', 'alter table pets drop constraint pets_pkey', ['pets.pets_pkey is no rule any more']],
    ['adds a column', 'alter table pets add toy text', []],
    ['adds a column with a default', "alter table pets add toy text not null default ''", []],
    ['adds a table', 'create table toys (name text primary key, size integer not null)', []],
    ['adds an index', 'create index by_age on pets (age)', []],
  ];
  it.each(changes)('is judged rightly when it %s', async (_, change, expected) => {
    const isUndone = new Error('undone');
    const addPets: Migration = {
      name: '9001-pets',
      statements: (schema) => [
        schema
          .createTable('pets')
          .addColumn('name', 'text', (column) => column.primaryKey())
          .addColumn('age', 'integer'),
      ],
    };
    await migrate(database, 'postgres', [...migrations, addPets]);
    const changing = database.transaction().execute(async (transaction) => {
      const before = await readTableShapes(transaction);
      await sql.raw(change).execute(transaction);
      expect(narrowings(before, await readTableShapes(transaction)).toSorted()).toEqual(expected.toSorted());
      throw isUndone;
    });
    await expect(changing).rejects.toBe(isUndone);
  });
});
