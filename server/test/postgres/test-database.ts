import { sharedResource } from '../shared/shared-resource.ts';
import { type FreshDatabase, freshDatabase } from './fresh-database.ts';

/** Name of the database on the shared server in which all migrations are applied. */
export const migratedTemplate = 'parley_migrated';

/** A database without tables on the server that all tests share. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  return freshDatabase(await sharedResource('postgres'));
}

/** A database with empty tables, of the newest version, on the server that all tests share. */
export async function migratedDatabase(): Promise<FreshDatabase> {
  return freshDatabase(await sharedResource('postgres'), { template: migratedTemplate });
}
