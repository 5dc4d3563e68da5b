import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/storage/migrations/migrate.ts';
import { openPostgres } from '../../src/storage/postgres-database.ts';
import { databaseFile, openStorage } from '../../src/storage/storage.ts';
import { freshDatabase } from '../postgres/fresh-database.ts';
import { startPostgres } from '../postgres/postgres-server.ts';
import { migratedTemplate } from '../postgres/test-database.ts';
import type { Resource } from './offer-resources.ts';

/** Starts a PostgreSQL server with a database to be copied, in which all migrations are applied. */
export async function startMigratedPostgres(): Promise<Resource> {
  const server = await startPostgres({ inMemory: true });
  const { url } = await freshDatabase(server.url, { name: migratedTemplate });
  const database = await openPostgres(url);
  await migrate(database, 'postgres');
  // A database that somebody is connected to cannot be copied.
  await database.destroy();
  return { address: server.url, remove: server.stop };
}

/** Makes a SQLite database to be copied, in which all migrations are applied. */
export async function makeMigratedSqlite(): Promise<Resource> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-migrated-'));
  const storage = await openStorage({ dataDir, databaseUrl: null });
  await storage.close();
  return {
    address: databaseFile({ dataDir }),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
