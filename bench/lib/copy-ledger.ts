import { DatabaseSync } from 'node:sqlite';
import { queryDatabase } from '../../server/test/postgres/query-database.ts';

/** Tables of the ledger that have the same columns on both engines, those first that others refer to. */
const tables = ['conversations', 'messages', 'deliveries', 'message_traces', 'model_calls', 'tool_calls'];
const rowsPerStatement = 5000;

/**
 * Copies a ledger into an empty one, which no service uses meanwhile.
 * @param file SQLite file
 * @param url of a PostgreSQL database whose tables are there; its account is a superuser
 */
export async function copyLedger(file: string, url: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    const indexes = await separateIndexes(url);
    for (const { name } of indexes) await queryDatabase(url, `drop index ${name}`);
    for (const table of tables) await copyTable(source, url, table);
    for (const { definition } of indexes) await queryDatabase(url, String(definition));
    await queryDatabase(url, "delete from metadata where key = 'monitoring_until'");
    await queryDatabase(url, 'delete from monitoring_rollups');
    // So that the server does neither of these while something is measured.
    await queryDatabase(url, 'vacuum analyze');
    await queryDatabase(url, 'checkpoint');
  } finally {
    source.close();
  }
}

/** Indexes that are no part of a constraint: building them in the end takes less time. */
function separateIndexes(url: string): Promise<Record<string, unknown>[]> {
  return queryDatabase(
    url,
    `select indexname as name, indexdef as definition from pg_indexes
      where schemaname = current_schema() and tablename in (${tables.map((table) => `'${table}'`).join()})
        and not exists (select from pg_constraint where conname = indexname)`,
  );
}

async function copyTable(source: DatabaseSync, url: string, table: string): Promise<void> {
  const columns = source
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
    // The database counts it up itself.
    .filter((name) => name !== 'position')
    .join(', ');
  let rows: unknown[] = [];
  const write = async () => {
    const json = JSON.stringify(rows).replaceAll("'", "''");
    rows = [];
    await queryDatabase(
      url,
      // Nothing would be lost, and no trigger has anything to do.
      `set session_replication_role = replica; set synchronous_commit = off;
        insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, '${json}')`,
    );
  };
  for (const row of source.prepare(`select ${columns} from ${table} order by rowid`).iterate()) {
    rows.push(row);
    if (rows.length === rowsPerStatement) await write();
  }
  await write();
}
