import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { StorageError, type StorageFault } from '../lib/storage-error.ts';
import { classified, classifyError, classifyFileError } from './classify-error.ts';

const directory = mkdtempSync(join(tmpdir(), 'parley-classify-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The fault of a failed SQLite call. */
async function faultOf(work: () => unknown): Promise<StorageFault | null> {
  try {
    await classified(work);
  } catch (error) {
    if (error instanceof StorageError) return error.detail;
    throw error;
  }
  return null;
}

describe('SQLite', () => {
  test('a constraint and wrong SQL are faults of the call', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec('create table notes (text text unique not null) strict; insert into notes values (1)');
    expect(await faultOf(() => database.exec("insert into notes values ('1')"))).toBe('constraint');
    expect(await faultOf(() => database.exec('insert into notes values (null)'))).toBe('constraint');
    expect(await faultOf(() => database.exec('selec 1'))).toBe('invalid');
    database.close();
    expect(await faultOf(() => database.exec('select 1'))).toBe('closed');
  });

  test('a fault of the program is no fault of the storage', () => {
    const error = new TypeError('x is not a function');
    expect(classifyError(error)).toBe(error);
    expect(classifyError('text')).toBe('text');
  });

  test('a full disk, a lock, a file that may not be written and a damaged one', async () => {
    const path = join(directory, 'one.db');
    const database = new DatabaseSync(path, { timeout: 0 });
    database.exec('create table notes (text text); pragma max_page_count = 2');
    expect(await faultOf(() => database.exec('insert into notes values (randomblob(100000))'))).toBe('disk_full');
    const other = new DatabaseSync(path, { timeout: 0 });
    other.exec('begin exclusive');
    expect(await faultOf(() => database.exec("insert into notes values ('one')"))).toBe('locked');
    other.close();
    database.exec('pragma query_only = on');
    expect(await faultOf(() => database.exec("insert into notes values ('one')"))).toBe('read_only');
    database.close();
    writeFileSync(path, 'this is no database, '.repeat(200));
    const damaged = new DatabaseSync(path);
    expect(await faultOf(() => damaged.exec('select * from notes'))).toBe('corrupt');
    damaged.close();
    const inNoFolder = join(directory, 'missing', 'one.db');
    expect(await faultOf(() => new DatabaseSync(inNoFolder))).toBe('io');
  });
});

test.each<[string, StorageFault]>([
  ['08006', 'unreachable'],
  ['22001', 'invalid'],
  ['22021', 'invalid'],
  ['23502', 'constraint'],
  ['23505', 'constraint'],
  ['25006', 'read_only'],
  ['25P03', 'unreachable'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['42601', 'invalid'],
  ['42P01', 'invalid'],
  ['53100', 'disk_full'],
  ['53200', 'overloaded'],
  ['53300', 'overloaded'],
  ['55P03', 'locked'],
  ['57014', 'cancelled'],
  ['57P01', 'unreachable'],
  ['57P02', 'unreachable'],
  ['57P03', 'unreachable'],
  ['58030', 'io'],
  ['XX001', 'corrupt'],
])('SQLSTATE %s is %s', (code, detail) => {
  const error = Object.assign(new Error('said by the server'), { code });
  expect(classifyError(error)).toMatchObject({ detail, code, message: 'said by the server', cause: error });
});

test.each<[string, StorageFault]>([
  ['Connection terminated unexpectedly', 'unreachable'],
  ['Connection terminated due to connection timeout', 'unreachable'],
  ['timeout exceeded when trying to connect', 'unreachable'],
  ['Client has encountered a connection error and is not queryable', 'unreachable'],
  ['Query read timeout', 'unreachable'],
  ['Cannot use a pool after calling end on the pool', 'closed'],
  ['driver has already been destroyed', 'closed'],
])('driver message "%s"', (message, detail) => {
  expect(classifyError(new Error(message))).toMatchObject({ detail, message });
});

test('a name with several addresses of which none answers', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
  expect(classifyError(new AggregateError([refused, refused]))).toMatchObject({
    detail: 'unreachable',
    message: 'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED ::1:5432',
  });
});

test.each<[string, StorageFault | null]>([
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['EROFS', 'read_only'],
  ['EACCES', 'read_only'],
  ['EIO', 'io'],
  ['EMFILE', 'overloaded'],
  ['ENOENT', null],
  ['ECONNRESET', null],
])('a file fails with %s', (code, detail) => {
  const error = Object.assign(new Error('a file'), { code });
  const classifiedError = classifyFileError(error);
  if (detail === null) expect(classifiedError).toBe(error);
  else expect(classifiedError).toMatchObject({ detail, code, message: 'a file', cause: error });
});
