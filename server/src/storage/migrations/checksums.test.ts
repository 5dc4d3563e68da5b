import { CompiledQuery, sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { monitoringMigration as formerMonitoring } from '../../../test/stores/former-migrations/0005-monitoring.ts';
import { knowledge as formerKnowledge } from '../../../test/stores/former-migrations/0008-knowledge.ts';
import { makeStoragePlace, type StoragePlace } from '../../../test/stores/open-test-storage.ts';
import type { Database } from '../database.ts';
import type { Engine } from '../engine.ts';
import { openPostgres } from '../postgres-database.ts';
import { openSqlite } from '../sqlite-database.ts';
import { databaseFile, openStorage } from '../storage.ts';
import { checksums, formerChecksums } from './checksums.ts';
import { migrations } from './index.ts';
import { checksumOf, migrate } from './migrate.ts';

describeOnEachEngine('migrations', (storage) => {
  const computed = (list: typeof migrations) => {
    const { database, engine } = storage();
    return Object.fromEntries(list.map((migration) => [migration.name, checksumOf(migration, database, engine)]));
  };

  it('are as they were: what is applied to databases does not change, and a new one is added to checksums.ts', () => {
    const { engine } = storage();
    const committed = Object.entries(checksums).map(([name, checksum]) => [name, checksum[engine]]);
    expect(computed(migrations)).toEqual(Object.fromEntries(committed));
  });

  it('that were changed before they were settled are known', () => {
    for (const [name, checksum] of Object.entries(computed([formerMonitoring, formerKnowledge]))) {
      expect(formerChecksums[name]).toContain(checksum);
    }
  });

  it.each(['0005-monitoring', '0008-knowledge'])('correct a database of the former version of %s', async (name) => {
    const { engine } = storage();
    const former = [formerMonitoring, formerKnowledge].find((migration) => migration.name === name) ?? formerMonitoring;
    const before = migrations.slice(
      0,
      migrations.findIndex((migration) => migration.name === name),
    );
    const place = await makeStoragePlace(engine);
    try {
      const database = await connect(place);
      await migrate(database, engine, [...before, former]);
      if (name === '0008-knowledge') await addDocument(database);
      await migrate(database, engine);
      expect(await migrate(database, engine)).toEqual([]);
      expect(await schemaOf(database, engine)).toEqual(await schemaOf(storage().database, engine));
      if (name === '0008-knowledge') {
        const rows = await database.selectFrom('knowledge_collection_documents').selectAll().execute();
        expect(rows).toMatchObject([
          { collection_id: 'c', document_uuid: 'd', chunk_count: 3, attempts: 0, created_at: 'now' },
        ]);
        await database.deleteFrom('knowledge_documents').execute();
        expect(await database.selectFrom('knowledge_collection_documents').selectAll().execute()).toEqual([]);
      }
      await database.destroy();
      // A service opens it as any other.
      await (await openStorage(place)).close();
    } finally {
      await place.remove();
    }
  });
});

function connect({ dataDir, databaseUrl }: StoragePlace): Promise<Database> {
  return databaseUrl === null ? Promise.resolve(openSqlite(databaseFile({ dataDir }))) : openPostgres(databaseUrl);
}

/** A document in a collection, by the columns of the former version. */
async function addDocument(database: Database): Promise<void> {
  const row = async (table: string, values: Record<string, string | number>) => {
    const columns = sql.join(Object.keys(values).map((column) => sql.ref(column)));
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(values))})`.execute(
      database,
    );
  };
  const required = async (table: string, given: Record<string, string | number>) => {
    const tables = await database.introspection.getTables();
    const columns = tables.find(({ name }) => name === table)?.columns ?? [];
    const missing = columns.filter(
      ({ isNullable, hasDefaultValue, name }) => !isNullable && !hasDefaultValue && !(name in given),
    );
    const filled = missing.map(({ name, dataType }) => [name, /int/i.test(dataType) ? 0 : 'now'] as const);
    await row(table, { ...Object.fromEntries(filled), ...given });
  };
  await required('knowledge_bases', { uuid: 'b' });
  await required('knowledge_collections', { collection_id: 'c', knowledge_base_uuid: 'b' });
  await required('files', { uuid: 'f' });
  await required('knowledge_documents', { uuid: 'd', knowledge_base_uuid: 'b', file_uuid: 'f' });
  await row('knowledge_collection_documents', {
    collection_id: 'c',
    document_uuid: 'd',
    chunk_count: 3,
    created_at: 'now',
  });
}

/** Everything that the engine says of the tables; the order of columns does not matter. */
async function schemaOf(database: Database, engine: Engine): Promise<unknown[]> {
  if (engine === 'sqlite') {
    const { rows } = await sql`select type, name, tbl_name, sql from sqlite_schema order by type, name`.execute(
      database,
    );
    return rows;
  }
  const queries = [
    `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
     where table_schema = 'public' order by 1, 2`,
    "select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1",
    `select tgname, pg_get_triggerdef(t.oid) as definition from pg_trigger t where not tgisinternal order by 1`,
    `select conname, pg_get_constraintdef(c.oid) as definition from pg_constraint c
     where connamespace = 'public'::regnamespace order by 1, 2`,
    "select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1",
  ];
  const results = await Promise.all(queries.map((query) => database.executeQuery(CompiledQuery.raw(query))));
  return results.map(({ rows }) => rows);
}
