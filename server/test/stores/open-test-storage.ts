import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Engine } from '../../src/storage/engine.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { freshDatabase } from '../postgres/fresh-database.ts';

/** Where a storage of one test lives. Nothing of it is left after `remove`. */
export interface StoragePlace {
  dataDir: string;
  /** Null for SQLite. */
  databaseUrl: string | null;
  remove(): Promise<void>;
}

/** Creates an empty folder and, for PostgreSQL, an empty database on the shared test server. */
export async function makeStoragePlace(engine: Engine): Promise<StoragePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-storage-'));
  const database = engine === 'postgres' ? await freshDatabase(inject('postgresUrl')) : null;
  return {
    dataDir,
    databaseUrl: database?.url ?? null,
    remove: async () => {
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An open, empty storage, which `close` also deletes. */
export async function openTestStorage(engine: Engine): Promise<Storage> {
  const place = await makeStoragePlace(engine);
  const storage = await openStorage(place);
  return {
    ...storage,
    close: async () => {
      await storage.close();
      await place.remove();
    },
  };
}
