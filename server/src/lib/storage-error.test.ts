import { expect, test } from 'vitest';
import { findStorageError, isStorageUnavailable, StorageError, type StorageFault } from './storage-error.ts';

const away = new StorageError('unreachable', 'connect ECONNREFUSED');
const taken = new StorageError('constraint', 'UNIQUE constraint failed');

test.each<[StorageFault, StorageError['kind']]>([
  ['disk_full', 'unavailable'],
  ['read_only', 'unavailable'],
  ['io', 'unavailable'],
  ['corrupt', 'unavailable'],
  ['locked', 'unavailable'],
  ['unreachable', 'unavailable'],
  ['overloaded', 'unavailable'],
  ['conflict', 'unavailable'],
  ['cancelled', 'unavailable'],
  ['undone', 'unavailable'],
  ['closed', 'unavailable'],
  ['not_owner', 'unavailable'],
  ['constraint', 'other'],
  ['invalid', 'other'],
])('%s is %s', (detail, kind) => {
  expect(new StorageError(detail, 'text')).toMatchObject({ kind, detail, message: 'text', name: 'StorageError' });
});

test('an error keeps the cause and the code of the engine', () => {
  const cause = new Error('inner');
  expect(new StorageError('constraint', 'text', { cause, code: '23505' })).toMatchObject({ cause, code: '23505' });
  expect('cause' in new StorageError('invalid', 'text')).toBe(false);
});

test.each<[string, unknown, StorageError | null]>([
  ['the error itself', away, away],
  ['a cause', new Error('outer', { cause: away }), away],
  ['a cause of a cause', new Error('outer', { cause: new Error('middle', { cause: taken }) }), taken],
  ['one of several', new AggregateError([new Error('first'), away]), away],
  ['another error', new Error('other'), null],
  ['no error', 'text', null],
  ['nothing', undefined, null],
])('the storage error is found in %s', (_, error, found) => {
  expect(findStorageError(error)).toBe(found);
  expect(isStorageUnavailable(error)).toBe(found === away);
});

test('an error that is its own cause ends the search', () => {
  const error = new Error('circle');
  error.cause = error;
  expect(isStorageUnavailable(error)).toBe(false);
});
