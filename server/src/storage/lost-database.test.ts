import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeStoragePlace, type StoragePlace } from '../../test/stores/open-test-storage.ts';
import { databaseFile, openStorage } from './storage.ts';

describe('a data folder without its SQLite database', () => {
  let place: StoragePlace;
  beforeEach(async () => {
    place = await makeStoragePlace('sqlite');
    await (await openStorage(place)).close();
    writeFileSync(join(place.dataDir, 'secret.key'), 'a key');
    mkdirSync(join(place.dataDir, 'files', 'ab'), { recursive: true });
  });
  afterEach(() => place.remove());

  const lose: [string, (file: string) => void][] = [
    ['missing', (file) => rmSync(file)],
    ['empty', (file) => truncateSync(file)],
    [
      'without a table',
      (file) => {
        rmSync(file);
        new DatabaseSync(file).exec('pragma journal_mode = wal; pragma user_version = 1');
      },
    ],
  ];

  it.each(lose)('is refused, database %s', async (_, change) => {
    const file = databaseFile(place);
    change(file);
    const before = existsSync(file);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(openStorage(place)).rejects.toThrow(`The database file ${file} is missing or empty`);
      expect(existsSync(file)).toBe(before);
    }
    await expect(openStorage(place)).rejects.toThrow('--new-database');
    const storage = await openStorage({ ...place, newDatabase: true });
    await sql`select * from metadata`.execute(storage.database);
    await storage.close();
    await (await openStorage(place)).close();
  });

  it.each([
    ['no key', 'secret.key'],
    ['no stored files', 'files'],
  ])('is a first start with %s', async (_, name) => {
    rmSync(databaseFile(place));
    rmSync(join(place.dataDir, name), { recursive: true });
    await (await openStorage(place)).close();
    expect(existsSync(databaseFile(place))).toBe(true);
  });

  it('is a first start with nothing but the mark of the installation among the files', async () => {
    rmSync(databaseFile(place));
    rmSync(join(place.dataDir, 'files', 'ab'), { recursive: true });
    writeFileSync(join(place.dataDir, 'files', 'installation'), 'an id');
    await (await openStorage(place)).close();
    expect(existsSync(databaseFile(place))).toBe(true);
  });

  it('is a first start on PostgreSQL', async () => {
    rmSync(databaseFile(place));
    const postgres = await makeStoragePlace('postgres');
    const storage = await openStorage({ ...place, databaseUrl: postgres.databaseUrl });
    expect(storage.engine).toBe('postgres');
    await sql`select * from metadata`.execute(storage.database);
    expect(existsSync(databaseFile(place))).toBe(false);
    await storage.close();
    await postgres.remove();
  });
});

it('a damaged SQLite file is named with the remedy', async () => {
  const place = await makeStoragePlace('sqlite');
  const file = databaseFile(place);
  writeFileSync(file, 'this is no database, '.repeat(500));
  await expect(openStorage(place)).rejects.toThrow(`The database file ${file} is damaged. Restore it from a backup`);
  rmSync(file);
  await (await openStorage(place)).close();
  const content = readFileSync(file);
  writeFileSync(file, content.subarray(0, content.length / 2));
  await expect(openStorage(place)).rejects.toThrow(`The database file ${file} is damaged. Restore it from a backup`);
  await place.remove();
});
