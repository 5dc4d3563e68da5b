import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NodeSqlite } from './node-sqlite.ts';
import { openSqlite, type SqliteKysely } from './sqlite-database.ts';

describe('short reads of a SQLite file', () => {
  let folder: string;
  let database: SqliteKysely;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-sqlite-'));
    database = openSqlite(join(folder, 'test.db'));
    await sql`create table notes (text text not null)`.execute(database);
  });

  afterEach(async () => {
    await database.destroy();
    rmSync(folder, { recursive: true });
  });

  const texts = () => database.readCommitted('select text from notes order by text', []);
  const write = (text: string) => sql`insert into notes values (${text})`;

  it('see each commit in the same turn of the event loop', async () => {
    expect(texts()).toEqual([]);
    await write('one').execute(database);
    expect(texts()).toEqual([{ text: 'one' }]);
    await write('two').execute(database);
    expect(texts()).toEqual([{ text: 'one' }, { text: 'two' }]);
  });

  it('share the rows of a repeated statement until the next commit', async () => {
    const run = vi.spyOn(NodeSqlite.prototype, 'run');
    const once = () => database.readOnce('select text from notes order by text');
    expect([once(), once(), once()]).toEqual([[], [], []]);
    expect(run.mock.calls.filter(([statement]) => statement.startsWith('select text'))).toHaveLength(1);
    vi.restoreAllMocks();
    await write('one').execute(database);
    expect(once()).toEqual([{ text: 'one' }]);
    using other = new DatabaseSync(database.file);
    await new Promise((resolve) => setImmediate(resolve));
    other.exec("insert into notes values ('of another process')");
    expect(once()).toHaveLength(2);
  });

  it('see nothing of a transaction before its end, and all of it then', async () => {
    await database.transaction().execute(async (transaction) => {
      await write('one').execute(transaction);
      expect(texts()).toEqual([]);
      await write('two').execute(transaction);
      expect(texts()).toEqual([]);
    });
    expect(texts()).toEqual([{ text: 'one' }, { text: 'two' }]);
  });

  it('see nothing of transactions that are committed together before they are', async () => {
    const seen: unknown[] = [];
    const add = async (text: string) => {
      await database.transaction().execute(async (transaction) => {
        await write(text).execute(transaction);
        seen.push(texts());
        const { rows } = await sql`select text from notes`.execute(database);
        seen.push(rows);
      });
      return texts().length;
    };
    expect(await Promise.all([add('one'), add('two'), add('three')])).toEqual([3, 3, 3]);
    expect(seen).toEqual(Array(6).fill([]));
  });

  it('do not block writers, however many follow one another', async () => {
    let isWriting = true;
    const writing = database
      .transaction()
      .execute(async (transaction) => {
        await write('one').execute(transaction);
      })
      .finally(() => {
        isWriting = false;
      });
    let reads = 0;
    for (; isWriting && reads < 1_000_000; reads += 1) await sql`select text from notes`.execute(database);
    expect(isWriting).toBe(false);
    await writing;
  });

  it('do not wait for writers', async () => {
    await write('one').execute(database);
    await database.transaction().execute(async (transaction) => {
      await write('two').execute(transaction);
      const notes = database.selectFrom('notes' as never).selectAll();
      expect(await notes.execute()).toEqual([{ text: 'one' }]);
      expect(
        await transaction
          .selectFrom('notes' as never)
          .selectAll()
          .execute(),
      ).toHaveLength(2);
    });
  });

  it('see changes of another process from the next turn on', async () => {
    expect(texts()).toEqual([]);
    const other = openSqlite(join(folder, 'test.db'));
    await write('elsewhere').execute(other);
    await other.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(texts()).toEqual([{ text: 'elsewhere' }]);
  });

  it('do not keep the write-ahead log from being emptied', async () => {
    await write('one').execute(database);
    texts();
    await new Promise((resolve) => setImmediate(resolve));
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(database);
    expect(rows[0]?.busy).toBe(0);
  });

  it('leave the file free when it is closed in the same turn', async () => {
    texts();
    await database.destroy();
    database = openSqlite(join(folder, 'test.db'));
    expect(texts()).toEqual([]);
  });
});

it('leaves no write-ahead log when it is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sqlite-'));
  const file = join(folder, 'test.db');
  const database = openSqlite(file);
  await sql`create table notes (text text not null)`.execute(database);
  await sql`select text from notes`.execute(database);
  expect(readdirSync(folder)).toContain('test.db-wal');
  await database.destroy();
  expect(readdirSync(folder)).toEqual(['test.db']);
  rmSync(folder, { recursive: true });
});

it('reads while another process has locked the file for writing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sqlite-'));
  const file = join(folder, 'test.db');
  const database = openSqlite(file);
  await sql`create table notes (text text not null)`.execute(database);
  const other = new DatabaseSync(file, { timeout: 0 });
  other.exec('begin exclusive');
  const writing = sql`insert into notes values ('one')`.execute(database);
  const begun = performance.now();
  expect((await sql`select text from notes`.execute(database)).rows).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(500);
  other.exec('rollback');
  other.close();
  await writing;
  expect((await sql`select text from notes`.execute(database)).rows).toEqual([{ text: 'one' }]);
  await database.destroy();
  rmSync(folder, { recursive: true });
});

describe('a transaction on a SQLite file', () => {
  it('lets no other process write between its reads and writes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-sqlite-'));
    const file = join(folder, 'test.db');
    const database = openSqlite(file);
    await sql`create table notes (text text not null)`.execute(database);
    const other = new DatabaseSync(file, { timeout: 0 });
    await database.transaction().execute(async (transaction) => {
      await sql`select text from notes`.execute(transaction);
      expect(() => other.exec("insert into notes values ('in between')")).toThrow('database is locked');
      await sql`insert into notes values ('of the transaction')`.execute(transaction);
    });
    other.exec("insert into notes values ('afterwards')");
    other.close();
    const { rows } = await sql`select text from notes order by text`.execute(database);
    expect(rows).toEqual([{ text: 'afterwards' }, { text: 'of the transaction' }]);
    await database.destroy();
    rmSync(folder, { recursive: true });
  });
});
