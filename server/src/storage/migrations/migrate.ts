import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { advisoryLocks } from '../advisory-locks.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { migrations as allMigrations } from './index.ts';
import type { Migration } from './migration.ts';

interface AppliedMigration {
  name: string;
  checksum: string;
}

/**
 * Applies the migrations that the database has not seen, each in a transaction, one process at a time.
 * @throws Error when a migration that was applied reads differently now, or the database is newer than the program
 */
export async function migrate(
  database: Database,
  engine: Engine,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  await database.connection().execute(async (connection) => {
    if (engine === 'postgres') await sql`select pg_advisory_lock(${advisoryLocks.migration})`.execute(connection);
    try {
      await applyMissing(connection, engine, migrations);
    } finally {
      if (engine === 'postgres') await sql`select pg_advisory_unlock(${advisoryLocks.migration})`.execute(connection);
    }
  });
}

async function applyMissing(connection: Database, engine: Engine, migrations: readonly Migration[]): Promise<void> {
  await sql`create table if not exists migrations (
    name text primary key, checksum text not null, applied_at text not null
  )`.execute(connection);
  const { rows } = await sql<AppliedMigration>`select name, checksum from migrations`.execute(connection);
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const name of applied.keys()) {
    if (!migrations.some((migration) => migration.name === name)) {
      throw new Error(`The database was made by a newer version of Parley: it has the migration ${name}`);
    }
  }
  for (const migration of migrations) {
    const statements = migration
      .statements((connection as unknown as Kysely<unknown>).schema, engine)
      .map((statement) => statement.compile());
    const checksum = createHash('sha256')
      .update(statements.map((statement) => statement.sql).join(';\n'))
      .digest('hex');
    const known = applied.get(migration.name);
    if (known === checksum) continue;
    if (known !== undefined) {
      throw new Error(`The migration ${migration.name} was changed after it had been applied to this database`);
    }
    await connection.transaction().execute(async (transaction) => {
      for (const statement of statements) await transaction.executeQuery(statement);
      await sql`insert into migrations (name, checksum, applied_at)
        values (${migration.name}, ${checksum}, ${new Date().toISOString()})`.execute(transaction);
    });
  }
}
