import { existsSync, readdirSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from '../../test/stores/each-engine.ts';
import { makeStoragePlace, type StoragePlace } from '../../test/stores/open-test-storage.ts';
import { migrations } from './migrations/index.ts';
import { missingInStorage, openSharedStorage } from './shared-storage.ts';
import { databaseFile, openStorage, type Storage } from './storage.ts';

const allMigrations = migrations.map(({ name }) => name);

describe.each(engines)('a storage on %s', (engine) => {
  const withPlace = async (use: (place: StoragePlace) => Promise<void>) => {
    const place = await makeStoragePlace(engine);
    try {
      await use(place);
    } finally {
      await place.remove();
    }
  };
  const setFact = ({ database }: Storage, value: string) =>
    database
      .insertInto('metadata')
      .values({ key: 'fact', value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  const fact = async ({ database }: Storage) =>
    (await database.selectFrom('metadata').select('value').where('key', '=', 'fact').executeTakeFirst())?.value;

  it('that is not in use is created when it is opened as shared', () =>
    withPlace(async (place) => {
      const storage = await openSharedStorage(place);
      await setFact(storage, 'one');
      await storage.ping();
      await storage.close();
      await expect(storage.ping()).rejects.toThrow();
      expect(await missingInStorage(place)).toEqual([]);
    }));

  it('is written by several processes, each of which sees the changes of the others', () =>
    withPlace(async (place) => {
      const server = await openStorage(place);
      const [first, second] = [await openSharedStorage(place), await openSharedStorage(place)];
      await setFact(first, 'of the first');
      expect(await fact(server)).toBe('of the first');
      await setFact(server, 'of the server');
      expect(await fact(second)).toBe('of the server');
      for (const storage of [first, server, second]) await storage.close();
    }));

  it('does not prevent exclusive opening while it is shared', () =>
    withPlace(async (place) => {
      const shared = await openSharedStorage(place);
      const server = await openStorage(place);
      await setFact(shared, 'beside the server');
      expect(await fact(server)).toBe('beside the server');
      await shared.close();
      await server.close();
    }));

  it('is waited for while another process creates the tables', () =>
    withPlace(async (place) => {
      const server = await openStorage(place);
      const last = allMigrations.at(-1);
      const { rows } = await sql<{ checksum: string }>`
        select checksum from migrations where name = ${last}`.execute(server.database);
      await sql`delete from migrations where name = ${last}`.execute(server.database);
      const opening = openSharedStorage(place);
      let isOpen = false;
      void opening.then(() => {
        isOpen = true;
      });
      // It has checked at least once by the time another process could.
      expect(await missingInStorage(place)).toEqual([last]);
      expect(isOpen).toBe(false);
      await sql`insert into migrations (name, checksum, applied_at)
        values (${last}, ${rows[0]?.checksum}, '')`.execute(server.database);
      await (await opening).close();
      await server.close();
    }));

  it('is refused when its tables stay older than the program', () =>
    withPlace(async (place) => {
      const server = await openStorage(place);
      await sql`delete from migrations where name = ${allMigrations.at(-1)}`.execute(server.database);
      await expect(openSharedStorage(place, 300)).rejects.toThrow('The tables are older than this program');
      await server.close();
    }));

  it('is refused when its tables are newer than the program', () =>
    withPlace(async (place) => {
      const server = await openStorage(place);
      await sql`insert into migrations (name, checksum, applied_at) values ('9999', '', '')`.execute(server.database);
      await expect(openSharedStorage(place)).rejects.toThrow('made by a newer version');
      await expect(missingInStorage(place)).rejects.toThrow('made by a newer version');
      await server.close();
    }));

  it('lacks every migration before it is created, and checking creates nothing', () =>
    withPlace(async (place) => {
      expect(await missingInStorage(place)).toEqual(allMigrations);
      expect(readdirSync(place.dataDir)).toEqual([]);
      rmSync(place.dataDir, { recursive: true });
      expect(await missingInStorage(place)).toEqual(allMigrations);
      expect(existsSync(place.dataDir)).toBe(false);
      const storage = await openStorage(place);
      expect(storage.migrated).toEqual(allMigrations);
      expect(await missingInStorage(place)).toEqual([]);
      await storage.close();
      expect(existsSync(databaseFile(place))).toBe(engine === 'sqlite');
    }));
});

it('a PostgreSQL database that cannot be reached is named without its password', async () => {
  const place = await makeStoragePlace('sqlite');
  const unreachable = { ...place, databaseUrl: 'postgres://someone:hunter2@127.0.0.1:1/parley' };
  const expected = 'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1';
  for (const open of [openSharedStorage, missingInStorage]) {
    expect(await open(unreachable).catch((error: Error) => error.message)).toBe(expected);
  }
  await place.remove();
});
