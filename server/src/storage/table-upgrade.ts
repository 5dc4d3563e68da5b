import type { Database } from './database.ts';
import type { Engine } from './engine.ts';
import { InUseError } from './in-use-error.ts';
import { migrations as allMigrations } from './migrations/index.ts';
import { type MigrationGuard, migrate, missingMigrations } from './migrations/migrate.ts';
import type { Migration } from './migrations/migration.ts';
import type { PostgresKysely } from './postgres-database.ts';
import {
  inUseError,
  livingSchemas,
  requireNoEarlierVersion,
  requireNone,
  requireUnused,
} from './replicas/unused-database.ts';

/** How the tables were brought up to date. */
export interface TableUpgrade {
  /** Names of the migrations that were applied. */
  applied: readonly string[];
  /** Names of those that wait until replicas of earlier versions have stopped. */
  waiting: readonly string[];
}

/**
 * Brings the tables of a PostgreSQL database up to date, except that those which replicas of an earlier version may need stay as
 * they are: a start works with these as well, so that an upgrade can be taken back. {@link contractTables} removes them.
 * @param folder whose replicas cannot live, since this process has locked it; null for none
 * @returns the names of the migrations that were applied
 * @throws InUseError when others would not work with the new tables
 */
export async function expandTables(
  database: PostgresKysely,
  folder: string | null,
  migrations: readonly Migration[] = allMigrations,
): Promise<string[]> {
  const missing = await missingMigrations(database, 'postgres', migrations);
  const required = requiredOf(missing, migrations);
  const wanted = migrations.filter(({ name }) => required.includes(name) || !missing.includes(name));
  const added = wanted.filter(({ name }) => required.includes(name));
  try {
    if (!added.every(({ kind }) => kind === 'expand')) await requireUnused(database, folder);
    else if (added.length > 0) await requireNoEarlierVersion(database);
  } catch (error) {
    // One of the same version, which started at the same time, has applied them.
    const isDone = error instanceof InUseError && (await missingMigrations(database, 'postgres', wanted)).length === 0;
    if (!isDone) throw error;
  }
  return await migrate(database, 'postgres', wanted);
}

/**
 * Brings the tables of a PostgreSQL database up to date, also while replicas work on them: what those of an earlier version may
 * need waits until none of them is left.
 * @throws InUseError when others would not work with the new tables
 */
export async function upgradeTables(
  database: PostgresKysely,
  migrations: readonly Migration[] = allMigrations,
): Promise<TableUpgrade> {
  const applied = await expandTables(database, null, migrations);
  const waiting = await missingMigrations(database, 'postgres', migrations);
  if (waiting.length === 0) return { applied, waiting };
  const isEarlier = earlierThan(waiting.at(-1) ?? '', migrations);
  // A replica that has started meanwhile has entered, or waits for this transaction to learn that it cannot.
  const guard: MigrationGuard = async (transaction) => {
    if ((await livingSchemas(transaction)).some(isEarlier)) throw inUseError();
  };
  try {
    await requireNone(database, isEarlier);
    applied.push(...(await migrate(database, 'postgres', migrations, guard)));
  } catch (error) {
    if (!(error instanceof InUseError)) throw error;
  }
  return { applied, waiting: await missingMigrations(database, 'postgres', migrations) };
}

/** Whether the program of a replica does not know a migration. One that knows more than this program does. */
function earlierThan(name: string, migrations: readonly Migration[]) {
  const place = migrations.findIndex((known) => known.name === name);
  return ({ schema }: { schema: string | null }): boolean => {
    const known = migrations.findIndex((migration) => migration.name === schema);
    return schema === null || (known >= 0 && known < place);
  };
}

/** Names of the migrations that are missing, and without which this program cannot work. Nothing is changed. */
export async function requiredMigrations(
  database: Database,
  engine: Engine,
  migrations: readonly Migration[] = allMigrations,
): Promise<string[]> {
  const missing = await missingMigrations(database, engine, migrations);
  return engine === 'sqlite' ? missing : requiredOf(missing, migrations);
}

function requiredOf(missing: readonly string[], migrations: readonly Migration[]): string[] {
  // Nobody needs what a new database would have lost already.
  const isNew = missing.length === migrations.length;
  return missing.filter((name) => isNew || migrations.find((known) => known.name === name)?.kind !== 'contract');
}
