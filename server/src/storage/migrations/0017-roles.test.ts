import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { engines } from '../../../test/stores/each-engine.ts';
import { makeStoragePlace } from '../../../test/stores/open-test-storage.ts';
import { openPostgres } from '../postgres-database.ts';
import { openSqlite } from '../sqlite-database.ts';
import { databaseFile } from '../storage.ts';
import { roles } from './0017-roles.ts';
import { migrations } from './index.ts';
import { migrate } from './migrate.ts';

it.each(engines)('makes the accounts that there are admins, and others members, on %s', async (engine) => {
  const place = await makeStoragePlace(engine);
  const { databaseUrl } = place;
  const database = databaseUrl === null ? openSqlite(databaseFile(place)) : await openPostgres(databaseUrl);
  try {
    const add = (name: string) =>
      sql`insert into accounts
      (uuid, "user", password_hash, recovery_hash, version, created_at, updated_at)
      values (${name}, ${name}, '', '', 1, '', '')`.execute(database);
    await migrate(database, engine, migrations.slice(0, migrations.indexOf(roles)));
    await add('before');
    await migrate(database, engine);
    await add('after');
    const rows = await database.selectFrom('accounts').select(['uuid', 'role']).orderBy('uuid').execute();
    expect(rows).toEqual([
      { uuid: 'after', role: 'member' },
      { uuid: 'before', role: 'admin' },
    ]);
  } finally {
    await database.destroy();
    await place.remove();
  }
});
