import type { ReadVersions, RecordVersions } from '../../core/records/record-versions.ts';
import { SharedRead } from '../../lib/shared-read.ts';
import type { Database } from '../database.ts';
import { PostgresKysely } from '../postgres-database.ts';
import { PreparedQuery } from '../prepared-query.ts';
import { SqliteKysely } from '../sqlite-database.ts';

/**
 * Reads the versions of records. On SQLite at once, once for reads that share a view of the database; on PostgreSQL in
 * one round trip, which all that ask meanwhile share, over a connection that no transaction holds.
 */
export function storedVersions(database: Database): ReadVersions {
  const query = database
    .selectFrom(['record_version', 'access_version', 'extension_version'])
    .select([
      'record_version.version as records',
      'access_version.version as access',
      'extension_version.version as extensions',
    ]);
  if (database instanceof SqliteKysely) {
    const { sql } = query.compile();
    // Each table has one row.
    return () => database.readOnce(sql)[0] as RecordVersions;
  }
  const connections = database instanceof PostgresKysely ? database.reserved : database;
  const prepared = new PreparedQuery<RecordVersions>(database, () => query);
  const shared = new SharedRead(() => prepared.one(connections, {}));
  return () => shared.get();
}
