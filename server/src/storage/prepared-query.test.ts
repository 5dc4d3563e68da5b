import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../test/stores/each-engine.ts';
import type { Tables } from './database.ts';
import { PreparedQuery, type ValueOf } from './prepared-query.ts';

type Row = Tables['metadata'];

describeOnEachEngine('a prepared query', (storage) => {
  let insert: PreparedQuery<unknown, Row>;
  let find: PreparedQuery<Row, { key: string }>;
  beforeEach(() => {
    const { database } = storage();
    const row = (value: ValueOf<Row>) => ({ key: value('key'), value: value('value') });
    insert = new PreparedQuery(database, (value) => database.insertInto('metadata').values(row(value)));
    find = new PreparedQuery(database, (value) =>
      database.selectFrom('metadata').selectAll().where('key', '=', value('key')),
    );
  });

  it('runs again and again with other values', async () => {
    const { database } = storage();
    expect(await insert.run(database, { key: 'one', value: '1' })).toBe(1);
    expect(await insert.run(database, { key: 'two', value: '2' })).toBe(1);
    expect(await find.all(database, { key: 'one' })).toEqual([{ key: 'one', value: '1' }]);
    expect(await find.one(database, { key: 'two' })).toEqual({ key: 'two', value: '2' });
    expect(await find.first(database, { key: 'three' })).toBeUndefined();
    await expect(find.one(database, { key: 'three' })).rejects.toThrow('A row is missing');
  });

  it('puts a value in each of its places, beside constants', async () => {
    const { database } = storage();
    const query = new PreparedQuery<{ first: string; second: string; third: string }, { one: string; two: string }>(
      database,
      (value) =>
        database.selectNoFrom([
          sql<string>`cast(${value('two')} as text)`.as('first'),
          sql<string>`cast(${'constant'} as text)`.as('second'),
          sql<string>`cast(${value('one')} as text) || cast(${value('two')} as text)`.as('third'),
        ]),
    );
    const expected = { first: '2', second: 'constant', third: '12' };
    expect(await query.one(database, { one: '1', two: '2' })).toEqual(expected);
  });

  it('reads in a transaction what the transaction wrote, and elsewhere only what was committed', async () => {
    const { database } = storage();
    await database.transaction().execute(async (transaction) => {
      await insert.run(transaction, { key: 'one', value: '1' });
      expect(await find.first(transaction, { key: 'one' })).toBeDefined();
      expect(await find.first(database, { key: 'one' })).toBeUndefined();
    });
    expect(await find.first(database, { key: 'one' })).toBeDefined();
  });

  it('stores texts that an engine refuses in the form in which they are stored otherwise', async () => {
    const { database } = storage();
    await insert.run(database, { key: 'one', value: 'a\0b' });
    expect(await find.one(database, { key: 'one' })).toEqual({ key: 'one', value: 'a\ufffdb' });
  });

  it('does not run without one of its values', async () => {
    const { database } = storage();
    await expect(insert.run(database, { key: 'one' } as Row)).rejects.toThrow('The value value of a query is missing');
    expect(await find.first(database, { key: 'one' })).toBeUndefined();
  });
});
