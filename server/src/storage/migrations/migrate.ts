import { createHash } from 'node:crypto';
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { formerChecksums } from './checksums.ts';
import { migrations as allMigrations } from './index.ts';
import type { Migration, WriteStatements } from './migration.ts';

interface AppliedMigration {
  name: string;
  checksum: string;
}

/** A migration as it is applied. */
interface Step {
  name: string;
  checksum: string;
  statements: CompiledQuery[];
}

/**
 * Applies the migrations that the database has not seen, each in a transaction, one process at a time.
 * @returns the names of those that were applied
 * @throws Error when a migration that was applied reads differently now, or the database is newer than the program
 */
export async function migrate(
  database: Database,
  engine: Engine,
  migrations: readonly Migration[] = allMigrations,
): Promise<string[]> {
  return database.connection().execute(async (connection) => {
    if (engine === 'postgres') await sql`select pg_advisory_lock(${advisoryLocks.migration})`.execute(connection);
    try {
      return await applyMissing(connection, engine, migrations);
    } finally {
      if (engine === 'postgres') await sql`select pg_advisory_unlock(${advisoryLocks.migration})`.execute(connection);
    }
  });
}

/**
 * The names of the migrations that the database has not seen. Changes nothing.
 * @throws Error as {@link migrate}
 */
export async function missingMigrations(
  database: Database,
  engine: Engine,
  migrations: readonly Migration[] = allMigrations,
): Promise<string[]> {
  const applied = (await wasEverMigrated(database, engine)) ? await appliedMigrations(database) : [];
  return missingSteps(applied, database, engine, migrations).map(({ name }) => name);
}

async function applyMissing(connection: Database, engine: Engine, migrations: readonly Migration[]): Promise<string[]> {
  await sql`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at text not null
  )`.execute(connection);
  const missing = missingSteps(await appliedMigrations(connection), connection, engine, migrations);
  for (const { name, checksum, statements } of missing) {
    await connection.transaction().execute(async (transaction) => {
      for (const statement of statements) await transaction.executeQuery(statement);
      await sql`insert into migrations (name, checksum, applied_at)
        values (${name}, ${checksum}, ${new Date().toISOString()})`.execute(transaction);
    });
  }
  return missing.map(({ name }) => name);
}

async function wasEverMigrated(database: Database, engine: Engine): Promise<boolean> {
  const query =
    engine === 'postgres'
      ? sql<object>`select 1 as found where to_regclass('migrations') is not null`
      : sql<object>`select 1 as found from sqlite_master where type = 'table' and name = 'migrations'`;
  return (await query.execute(database)).rows.length > 0;
}

async function appliedMigrations(database: Database): Promise<AppliedMigration[]> {
  return (await sql<AppliedMigration>`select name, checksum from migrations`.execute(database)).rows;
}

function missingSteps(
  applied: AppliedMigration[],
  database: Database,
  engine: Engine,
  migrations: readonly Migration[],
): Step[] {
  const checksums = new Map(applied.map((row) => [row.name, row.checksum]));
  for (const name of checksums.keys()) {
    if (!migrations.some((migration) => migration.name === name)) {
      throw new Error(`The database was made by a newer version of Parley: it has the migration ${name}`);
    }
  }
  const missing: Step[] = [];
  for (const migration of migrations) {
    const step = stepOf(migration, database, engine, checksums);
    const known = checksums.get(step.name);
    if (known === undefined) missing.push(step);
    else if (known !== step.checksum && !isFormer(step.name, known)) {
      throw new Error(`The migration ${step.name} was changed after it had been applied to this database`);
    }
  }
  return missing;
}

/** The checksum that is kept of a migration: SHA-256 of its statements, in hex. */
export function checksumOf(migration: Migration, database: Database, engine: Engine): string {
  return stepOf(migration, database, engine, new Map()).checksum;
}

/** @param applied checksums of the migrations that were applied, by name */
function stepOf(
  { name, statements: write, corrections = [] }: Migration,
  database: Database,
  engine: Engine,
  applied: ReadonlyMap<string, string>,
): Step {
  const { schema } = database as unknown as Kysely<unknown>;
  const compiled = (statements: WriteStatements) => statements(schema, engine).map((statement) => statement.compile());
  const statements = compiled(write);
  // The checksum is the same whether they are applied or not.
  const all = [...statements];
  for (const correction of corrections) {
    const correcting = compiled(correction.statements);
    all.push(...correcting);
    if (isFormer(correction.of, applied.get(correction.of))) statements.push(...correcting);
  }
  const text = all.map((statement) => statement.sql).join(';\n');
  return { name, checksum: createHash('sha256').update(text).digest('hex'), statements };
}

function isFormer(name: string, checksum: string | undefined): boolean {
  return checksum !== undefined && formerChecksums[name]?.includes(checksum) === true;
}
