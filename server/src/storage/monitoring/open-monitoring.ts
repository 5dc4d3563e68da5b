import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Storage } from '../storage.ts';
import { KyselyRollupStore } from './kysely-rollup-store.ts';
import { PostgresMonitoringReader } from './postgres-monitoring-reader.ts';
import { SqliteMonitoringReader } from './sqlite-monitoring-reader.ts';

/** Reader and rollups of monitoring. Close it before the storage. */
export async function openMonitoring({
  database,
  engine,
  health,
  replica,
}: Pick<Storage, 'database' | 'engine' | 'health' | 'replica'>) {
  const reader =
    engine === 'sqlite'
      ? new SqliteMonitoringReader(await fileOf(database), { failed: health.failed })
      : new PostgresMonitoringReader(database);
  return {
    reader,
    rollups: new KyselyRollupStore(database, { replica, countHours: (hours) => reader.countHours(hours) }),
  };
}

async function fileOf(database: Database): Promise<string> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(
    database,
  );
  if (rows[0] === undefined) throw new Error('The database has no file');
  return rows[0].file;
}
