import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { migrate } from '../../server/src/storage/migrations/migrate.ts';
import { openSqlite } from '../../server/src/storage/sqlite-database.ts';
import { databaseFile } from '../../server/src/storage/storage.ts';
import { queryDatabase } from '../../server/test/postgres/query-database.ts';
import { migratedDatabase } from '../../server/test/postgres/test-database.ts';
import { fillLedgerOf } from './filled-ledger.ts';

const tables = ['conversations', 'messages', 'deliveries', 'message_traces', 'model_calls', 'tool_calls'];
/** More than go into one statement. */
const messages = 12_000;
const conversations = 40;

const indexes = 'select indexdef from pg_indexes order by indexname';

it('fills the ledger of both engines with the same rows', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-filled-'));
  const { url: databaseUrl, drop } = await migratedDatabase();
  try {
    const database = openSqlite(databaseFile({ dataDir }));
    await migrate(database, 'sqlite').finally(() => database.destroy());
    const own = await fillLedgerOf({ dataDir, databaseUrl: null }, messages, conversations);
    expect(own.messages).toBeGreaterThan(messages * 0.99);
    const indexesBefore = await queryDatabase(databaseUrl, indexes);
    expect(await fillLedgerOf({ dataDir, databaseUrl }, messages, conversations)).toEqual(own);

    const file = new DatabaseSync(databaseFile({ dataDir }), { readOnly: true });
    for (const table of tables) {
      const count = `select count(*) as count from ${table}`;
      const [copied] = await queryDatabase(databaseUrl, count);
      expect(Number(copied?.count), table).toBe(Number(file.prepare(count).get()?.count));
    }
    expect(await queryDatabase(databaseUrl, indexes)).toEqual(indexesBefore);
    const listed = 'select * from messages order by position';
    const copies = await queryDatabase(databaseUrl, listed);
    const rows = copies.map((row) => ({ ...row, position: Number(row.position) }));
    expect(rows).toEqual(file.prepare(listed).all());
    file.close();
  } finally {
    await drop();
    await rm(dataDir, { recursive: true });
  }
});
