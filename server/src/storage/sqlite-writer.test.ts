import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeSqlite } from './node-sqlite.ts';
import { SqliteWriter, type SqliteWriterOptions } from './sqlite-writer.ts';

const insert = 'insert into notes (text) values (?)';

describe('writing a SQLite file', () => {
  let folder: string;
  let writer: SqliteWriter;
  let observer: DatabaseSync;
  let commits: number;
  let open: (options: SqliteWriterOptions) => SqliteWriter;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-writer-'));
    const file = join(folder, 'test.db');
    const database = new DatabaseSync(file, { timeout: 0 });
    database.exec('pragma journal_mode = wal; pragma foreign_keys = on;');
    database.exec('create table notes (text text not null unique on conflict abort)');
    database.exec('create table owners (name text primary key)');
    database.exec('create table pets (owner text references owners (name) deferrable initially deferred)');
    commits = 0;
    const noteCommit = () => {
      commits += 1;
    };
    open = (options) => new SqliteWriter(new NodeSqlite(database), noteCommit, options);
    writer = open({ longestGroupMs: 60_000 });
    observer = new DatabaseSync(file, { readOnly: true });
  });
  afterEach(() => {
    writer.close();
    observer.close();
    rmSync(folder, { recursive: true });
  });

  /** Committed rows, as seen by another connection. */
  const visible = () =>
    observer
      .prepare('select text from notes order by rowid')
      .all()
      .map((row) => row.text);
  const transaction = async (...texts: string[]) => {
    const turn = await writer.begin();
    try {
      for (const text of texts) {
        turn.run(insert, [text]);
        await null;
      }
    } catch (error) {
      await turn.rollback();
      throw error;
    }
    await turn.commit();
  };
  const outcomes = async (work: Promise<unknown>[]) =>
    (await Promise.allSettled(work)).map((result) =>
      result.status === 'fulfilled' ? 'stored' : String((result.reason as Error).message),
    );

  it('reports success only after the commit', async () => {
    const seen: unknown[][] = [];
    const look = () => void seen.push(visible());
    await Promise.all([
      transaction('one').then(look),
      writer.write(insert, ['two']).then(look),
      transaction('three', 'four').then(look),
    ]);
    expect(seen).toEqual(Array(3).fill(['one', 'two', 'three', 'four']));
    expect(commits).toBe(1);
  });

  it('commits transactions of one turn of the event loop together, in order', async () => {
    await Promise.all(Array.from({ length: 400 }, (_, index) => transaction(`${index}`)));
    expect(visible()).toEqual(Array.from({ length: 400 }, (_, index) => `${index}`));
    expect(commits).toBe(1);
  });

  it('does not let the first of many wait for all of them', async () => {
    await Promise.all(Array.from({ length: 1200 }, (_, index) => transaction(`${index}`)));
    expect(commits).toBe(3);
  });

  it('lets the event loop turn between transactions that take long together, and keeps their order', async () => {
    writer = open({ longestGroupMs: 0 });
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await Promise.all(Array.from({ length: 50 }, (_, index) => transaction(`${index}`)));
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(25);
    expect(visible()).toEqual(Array.from({ length: 50 }, (_, index) => `${index}`));
  });

  it('commits a lone transaction in the turn of the event loop in which it ends', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await transaction('one');
    clearImmediate(timer);
    expect(turns).toBeLessThanOrEqual(1);
  });

  it('commits transactions at once that waited for a slow one', async () => {
    const first = transaction('one');
    const slow = await writer.begin();
    slow.run(insert, ['slow']);
    const behind = transaction('behind');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(visible()).toEqual([]);
    const end = slow.commit();
    await first;
    expect(visible().slice(0, 2)).toEqual(['one', 'slow']);
    await Promise.all([end, behind]);
    expect(commits).toBe(2);
  });

  it('undoes a transaction that fails, and nothing else', async () => {
    const work = ['one', 'two', 'three'].map((text) => transaction(text));
    const failing = transaction('four', 'one');
    expect(await outcomes([...work, failing, transaction('five')])).toEqual([
      ...Array(3).fill('stored'),
      'UNIQUE constraint failed: notes.text',
      'stored',
    ]);
    expect(visible()).toEqual(['one', 'two', 'three', 'five']);
  });

  it('continues after the first of several was rolled back', async () => {
    expect(await outcomes([transaction('one', 'one'), transaction('two')])).toEqual([
      'UNIQUE constraint failed: notes.text',
      'stored',
    ]);
    expect(visible()).toEqual(['two']);
  });

  it('undoes a single statement that fails, and nothing else', async () => {
    const work = [
      writer.write(insert, ['one']),
      writer.write("insert into notes values ('two'), ('one')", []),
      transaction('three'),
    ];
    expect(await outcomes(work)).toEqual(['stored', 'UNIQUE constraint failed: notes.text', 'stored']);
    expect(visible()).toEqual(['one', 'three']);
  });

  it('continues a transaction after a failed statement', async () => {
    const other = transaction('one');
    const turn = await writer.begin();
    expect(() => turn.run(insert, ['one'])).toThrow('UNIQUE');
    turn.run(insert, ['two']);
    await turn.commit();
    await other;
    expect(visible()).toEqual(['one', 'two']);
  });

  it('rejects all members when the commit fails, and continues', async () => {
    const work = [transaction('one'), writer.write("insert into pets values ('lone')", []), transaction('two')];
    expect(await outcomes(work)).toEqual(Array(3).fill('FOREIGN KEY constraint failed'));
    expect(visible()).toEqual([]);
    await transaction('three');
    expect(visible()).toEqual(['three']);
  });

  it('rejects all members when SQLite rolls all of them back, and continues', async () => {
    const before = transaction('one');
    const fatal = (async () => {
      const turn = await writer.begin();
      // Continuing all the same does not write by accident outside of a transaction.
      expect(() => turn.run('insert or rollback into notes values (?)', ['one'])).toThrow('UNIQUE');
      expect(() => turn.run(insert, ['two'])).toThrow('SQLite rolled back the transaction');
      await turn.rollback();
      throw new Error('given up');
    })();
    expect(await outcomes([before, fatal, transaction('three')])).toEqual([
      'SQLite rolled back the transaction',
      'given up',
      'stored',
    ]);
    expect(visible()).toEqual(['three']);
  });

  it('runs statements between transactions that cannot be part of one', async () => {
    const work = [
      transaction('one'),
      writer.runAlone('pragma wal_checkpoint(truncate)', []),
      transaction('two'),
      writer.runAlone('vacuum', []),
      transaction('three'),
    ];
    await Promise.all(work);
    expect(visible()).toEqual(['one', 'two', 'three']);
    expect(await outcomes([writer.runAlone('no statement', []), transaction('four')])).toEqual([
      'near "no": syntax error',
      'stored',
    ]);
  });

  it('writers get their turn while reads follow each other without a turn of the event loop', async () => {
    const database = new NodeSqlite(new DatabaseSync(join(folder, 'test.db'), { timeout: 0 }));
    const hasty = new SqliteWriter(database, () => {}, { longestGroupMs: 0 });
    let isDone = false;
    const deadline = performance.now() + 10_000;
    const reading = (async () => {
      while (!isDone && performance.now() < deadline) {
        hasty.beforeRead();
        await null;
      }
    })();
    await Promise.all(['one', 'two', 'three'].map((text) => hasty.write(insert, [text])));
    expect(performance.now()).toBeLessThan(deadline);
    isDone = true;
    await reading;
    hasty.close();
    expect(visible()).toEqual(['one', 'two', 'three']);
  });

  describe('while another process holds the lock', () => {
    let other: DatabaseSync;
    beforeEach(() => {
      other = new DatabaseSync(join(folder, 'test.db'));
      other.exec('begin exclusive');
    });
    afterEach(() => other.close());
    const impatient = () => {
      const database = new DatabaseSync(join(folder, 'test.db'), { timeout: 0 });
      return new SqliteWriter(new NodeSqlite(database), () => {}, { lockPatienceMs: 50 });
    };

    it('writers wait in order, and the event loop is not blocked', async () => {
      const work = [transaction('one'), writer.write(insert, ['two']), transaction('three')];
      const pragma = writer.runAlone('pragma wal_checkpoint', []);
      let turns = 0;
      while (!writer.isLocked || turns < 20) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        turns += 1;
      }
      expect(visible()).toEqual([]);
      other.exec('rollback');
      await Promise.all([...work, pragma]);
      expect(writer.isLocked).toBe(false);
      expect(visible()).toEqual(['one', 'two', 'three']);
    });

    it('a writer gives up after its patience, those after it at once, and later ones succeed', async () => {
      const second = impatient();
      const begun = performance.now();
      const failed = await Promise.allSettled([
        second.begin(),
        second.write(insert, ['two']),
        second.runAlone('pragma user_version = 1', []),
      ]);
      expect(failed.map((result) => result.status === 'rejected' && result.reason.detail)).toEqual(
        Array(3).fill('locked'),
      );
      expect(performance.now() - begun).toBeLessThan(1000);
      other.exec('rollback');
      await second.write(insert, ['three']);
      second.close();
      expect(visible()).toEqual(['three']);
    });

    it('a writer that waits is refused when the database is closed', async () => {
      const work = [transaction('one'), transaction('two')];
      while (!writer.isLocked) await new Promise((resolve) => setTimeout(resolve, 1));
      writer.close();
      const details = (await Promise.allSettled(work)).map((result) => 'reason' in result && result.reason.detail);
      expect(details).toEqual(['closed', 'closed']);
    });
  });

  it('tells everybody of a transaction that the disk was full', async () => {
    await writer.runAlone('pragma max_page_count = 6', []);
    const large = 'x'.repeat(100_000);
    const results = await Promise.allSettled([transaction('one'), transaction(large), transaction('three')]);
    const details = results.flatMap((result) => ('reason' in result ? [result.reason.detail] : []));
    // SQLite may roll back the statement or all of the transaction, and reports which.
    expect(details.length).toBeGreaterThan(0);
    expect(new Set(details)).toEqual(new Set(['disk_full']));
    await writer.runAlone('pragma max_page_count = 1000', []);
    await transaction(large);
    expect(visible()).toContain(large);
  });

  it('commits finished transactions when it is closed', async () => {
    const finished = transaction('one');
    // All that a transaction does happens before the next timer or event.
    for (let step = 0; step < 20; step += 1) await null;
    expect(visible()).toEqual([]);
    writer.close();
    expect(visible()).toEqual(['one']);
    await finished;
    expect(await outcomes([transaction('two'), writer.write(insert, ['three'])])).toEqual(
      Array(2).fill('The database is closed'),
    );
  });

  it('rolls back unfinished transactions when it is closed, and rejects waiting ones', async () => {
    const turn = await writer.begin();
    turn.run(insert, ['one']);
    const waiting = outcomes([transaction('two'), writer.runAlone('vacuum', [])]);
    writer.close();
    expect(await waiting).toEqual(Array(2).fill('The database is closed'));
    expect(() => turn.run(insert, ['three'])).toThrow();
    await expect(turn.commit()).rejects.toThrow('The database is closed');
    expect(visible()).toEqual([]);
  });
});
