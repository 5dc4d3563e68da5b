import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../src/storage/engine.ts';
import { SoleReplica } from '../../src/storage/replicas/replica.ts';
import { databaseFile, openStorage, type Storage } from '../../src/storage/storage.ts';
import { emptyDatabase, migratedDatabase } from '../postgres/test-database.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { enterReplica } from './replicas.ts';

/** Where a storage of one test lives. Nothing of it is left after `remove`. */
export interface StoragePlace {
  dataDir: string;
  /** Null for SQLite. */
  databaseUrl: string | null;
  remove(): Promise<void>;
}

/** Creates an empty folder and, for PostgreSQL, an empty database on the shared test server. */
export async function makeStoragePlace(engine: Engine): Promise<StoragePlace> {
  return placeOf(engine === 'postgres' ? await emptyDatabase() : null);
}

/** Makes a folder and a database whose tables are empty and up to date: that saves the time of all migrations. */
export async function makeMigratedPlace(engine: Engine): Promise<StoragePlace> {
  const place = placeOf(engine === 'postgres' ? await migratedDatabase() : null);
  if (engine === 'sqlite') await copyMigratedDatabase(place.dataDir);
  return place;
}

/** Puts a SQLite database whose tables are empty and up to date into a data folder. */
export async function copyMigratedDatabase(dataDir: string): Promise<void> {
  copyFileSync(await sharedResource('sqlite'), databaseFile({ dataDir }));
}

/**
 * An open, empty storage, which `close` also deletes. Its replica does not beat, so that tests may end it, and others never
 * take it for dead.
 */
export async function openTestStorage(engine: Engine): Promise<Storage> {
  const place = await makeMigratedPlace(engine);
  const storage = await openStorage(place);
  await storage.replica.leave();
  await storage.database.updateTable('replicas').set({ state: 'ended' }).execute();
  const { id } = await enterReplica(storage.database);
  return {
    ...storage,
    replica: new SoleReplica(id),
    close: async () => {
      await storage.close();
      await place.remove();
    },
  };
}

function placeOf(database: { url: string; drop(): Promise<void> } | null): StoragePlace {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-storage-'));
  return {
    dataDir,
    databaseUrl: database?.url ?? null,
    remove: async () => {
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
