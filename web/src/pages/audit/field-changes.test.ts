import { expect, test } from 'vitest';
import { fieldChanges } from './field-changes.ts';

test('an update shows the fields that changed', () => {
  const before = { name: 'a', config: { ai: { 'x.y': 1 }, list: [1] }, key: '(secret)' };
  const after = { name: 'b', config: { ai: { 'x.y': 2 }, list: [1, 2] }, key: '(secret)' };
  expect(fieldChanges(before, after, ['name', 'config.ai.x.y', 'config.list', 'key', 'gone.field'])).toEqual([
    { path: 'name', before: 'a', after: 'b' },
    { path: 'config.ai.x.y', before: '1', after: '2' },
    { path: 'config.list', before: '[\n  1\n]', after: '[\n  1,\n  2\n]' },
    { path: 'key', before: '(secret)', after: '(secret)' },
    { path: 'gone.field', before: undefined, after: undefined },
  ]);
});

test('what was made or removed shows all of it that says something', () => {
  expect(fieldChanges(null, { name: 'a', text: '', inner: { on: false } }, [])).toEqual([
    { path: 'name', before: undefined, after: 'a' },
    { path: 'inner.on', before: undefined, after: 'false' },
  ]);
  expect(fieldChanges({ name: 'a' }, null, [])).toEqual([{ path: 'name', before: 'a', after: undefined }]);
  expect(fieldChanges(null, null, [])).toEqual([]);
});
