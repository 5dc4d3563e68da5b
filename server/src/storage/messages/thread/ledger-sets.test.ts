import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StorageError } from '../../../lib/storage-error.ts';
import { DirectSqlite } from '../../direct-sqlite.ts';
import { NodeSqlite } from '../../node-sqlite.ts';
import { LedgerSets } from './ledger-sets.ts';
import type { LedgerOperation } from './set-messages.ts';

/** An operation that stores a text, and then fails if `fails` is set. */
interface Note {
  text: string;
  fails?: boolean;
}

describe('sets of operations', () => {
  let database: DirectSqlite;
  let sets: LedgerSets;
  beforeEach(() => {
    database = new DirectSqlite(new NodeSqlite(new DatabaseSync(':memory:')));
    database.run('create table notes (text text not null unique)');
    sets = new LedgerSets(database, async ({ values: [text, fails] }) => {
      database.run('insert into notes (text) values (?)', [text]);
      await null;
      if (fails) throw new Error('no');
      return text;
    });
  });
  afterEach(() => database.destroy());

  const store = async (...notes: Note[]) => {
    const operations = notes.map(
      ({ text, fails = false }): LedgerOperation => ({ part: 'counter', method: 'note', values: [text, fails] }),
    );
    return (await sets.store(operations)).map((answer) => ('error' in answer ? answer.error.message : answer.result));
  };
  const stored = () => database.run('select text from notes order by rowid').rows.map((row) => (row as Note).text);

  it('store what does not fail, in order, whatever fails beside it', async () => {
    const note = fc.record({ text: fc.constantFrom(...'abcdefghij'), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(note, { maxLength: 8 }), { maxLength: 4 }), async (all) => {
        database.run('delete from notes');
        const expected: string[] = [];
        for (const set of all) {
          const answers = set.map(({ text, fails }) => {
            if (expected.includes(text)) return 'UNIQUE constraint failed: notes.text';
            if (fails) return 'no';
            expected.push(text);
            return text;
          });
          expect(await store(...set)).toEqual(answers);
          expect(stored()).toEqual(expected);
        }
      }),
    );
  });

  it('store nothing when the commit fails, and the next set all the same', async () => {
    const run = database.run.bind(database);
    vi.spyOn(database, 'run').mockImplementation((sql, parameters) => {
      if (sql !== 'commit') return run(sql, parameters);
      vi.mocked(database.run).mockRestore();
      throw new StorageError('io', 'The disk does not answer');
    });
    await expect(store({ text: 'a' }, { text: 'b' })).rejects.toMatchObject({ detail: 'io' });
    expect(database.isInTransaction).toBe(false);
    expect(stored()).toEqual([]);
    expect(await store({ text: 'c' })).toEqual(['c']);
    expect(stored()).toEqual(['c']);
  });

  it('store nothing when the disk is full', async () => {
    database.run('pragma max_page_count = 6');
    const large = 'x'.repeat(100_000);
    await expect(store({ text: 'a' }, { text: large }, { text: 'b' })).rejects.toMatchObject({ detail: 'disk_full' });
    expect(stored()).toEqual([]);
    expect(await store({ text: 'a' })).toEqual(['a']);
  });
});
