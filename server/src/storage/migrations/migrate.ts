import { createHash } from 'node:crypto';
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { now } from '../../lib/clock.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { limitLocks, retryLocked } from '../lock-limit.ts';
import { formerChecksums } from './checksums.ts';
import { migrations as allMigrations } from './index.ts';
import type { Migration, MigrationKind, WriteStatements } from './migration.ts';

interface AppliedMigration {
  name: string;
  checksum: string;
  kind: MigrationKind | null;
}

/** A migration as it is applied. */
interface Step {
  name: string;
  kind: MigrationKind | null;
  checksum: string;
  statements: CompiledQuery[];
}

/** Called in the transaction of a migration before its statements; an error leaves the tables as they are. */
export type MigrationGuard = (transaction: Database, migration: Migration) => Promise<void>;

/**
 * Applies the migrations that the database has not seen, each in a transaction, one process at a time.
 * @returns the names of those that were applied
 * @throws Error when a migration that was applied reads differently now, or the database is newer than the program and was
 * not only expanded; or what the guard throws
 */
export async function migrate(
  database: Database,
  engine: Engine,
  migrations: readonly Migration[] = allMigrations,
  guard: MigrationGuard = async () => {},
): Promise<string[]> {
  const missing = await missingMigrations(database, engine, migrations);
  if (missing.length > 0) await database.transaction().execute((transaction) => prepareTable(transaction, engine));
  const applied: string[] = [];
  for (const migration of migrations.filter(({ name }) => missing.includes(name))) {
    const wasApplied = await retryLocked(engine, () =>
      database.transaction().execute((transaction) => apply(transaction, engine, migration, guard)),
    );
    if (wasApplied) applied.push(migration.name);
  }
  return applied;
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
  return missingSteps(await appliedMigrations(database, engine), database, engine, migrations).map(({ name }) => name);
}

/** @returns false when another process has applied it meanwhile */
async function apply(
  transaction: Database,
  engine: Engine,
  migration: Migration,
  guard: MigrationGuard,
): Promise<boolean> {
  await lock(transaction, engine);
  const applied = await storedMigrations(transaction);
  if (applied.some(({ name }) => name === migration.name)) return false;
  await guard(transaction, migration);
  const step = stepOf(migration, transaction, engine, checksumsOf(applied));
  if (engine === 'postgres') await limitLocks(transaction);
  for (const statement of step.statements) await transaction.executeQuery(statement);
  await sql`insert into migrations (name, checksum, kind, applied_at)
    values (${step.name}, ${step.checksum}, ${step.kind}, ${now()})`.execute(transaction);
  return true;
}

/** Until the transaction ends, which a pooler of transactions keeps on one connection. */
async function lock(transaction: Database, engine: Engine): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLocks.migration})`.execute(transaction);
}

/**
 * Makes sure that the program knows the tables of a PostgreSQL database. Migrations that are being applied are waited for.
 * @throws Error as {@link migrate}
 */
export async function requireKnownTables(
  database: Database,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock_shared(${advisoryLocks.migration})`.execute(transaction);
    await missingMigrations(transaction, 'postgres', migrations);
  });
}

/** Makes the table of migrations, as versions without kinds did, and gives it what is missing. */
async function prepareTable(transaction: Database, engine: Engine): Promise<void> {
  await lock(transaction, engine);
  await sql`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at text not null
  )`.execute(transaction);
  if (await hasColumn(transaction, engine, 'kind')) return;
  await sql`alter table migrations add column kind text`.execute(transaction);
}

async function hasColumn(database: Database, engine: Engine, column: 'name' | 'kind'): Promise<boolean> {
  const query =
    engine === 'postgres'
      ? sql<object>`select 1 as found from pg_attribute
          where attrelid = to_regclass('migrations') and attname = ${column} and not attisdropped`
      : sql<object>`select 1 as found from pragma_table_info('migrations') where name = ${column}`;
  return (await query.execute(database)).rows.length > 0;
}

async function appliedMigrations(database: Database, engine: Engine): Promise<AppliedMigration[]> {
  if (await hasColumn(database, engine, 'kind')) return storedMigrations(database);
  if (!(await hasColumn(database, engine, 'name'))) return [];
  return (await sql<AppliedMigration>`select name, checksum, null as kind from migrations`.execute(database)).rows;
}

async function storedMigrations(database: Database): Promise<AppliedMigration[]> {
  return (await sql<AppliedMigration>`select name, checksum, kind from migrations`.execute(database)).rows;
}

function checksumsOf(applied: readonly AppliedMigration[]): ReadonlyMap<string, string> {
  return new Map(applied.map(({ name, checksum }) => [name, checksum]));
}

function missingSteps(
  applied: AppliedMigration[],
  database: Database,
  engine: Engine,
  migrations: readonly Migration[],
): Step[] {
  const checksums = checksumsOf(applied);
  for (const { name, kind } of applied) {
    if (kind !== 'expand' && !migrations.some((migration) => migration.name === name)) {
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
  { name, kind, statements: write, corrections = [] }: Migration,
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
  return { name, kind: kind ?? null, checksum: createHash('sha256').update(text).digest('hex'), statements };
}

function isFormer(name: string, checksum: string | undefined): boolean {
  return checksum !== undefined && formerChecksums[name]?.includes(checksum) === true;
}
