import { expect, it } from 'vitest';
import { fieldDifferences } from './field-differences.ts';
import { secretTexts } from './secret-texts.ts';

it('names each field with both versions', () => {
  const mine = { name: 'lory', config: { prompt: 'Hi', rounds: 3, words: ['a'] }, note: null, same: 1 };
  const theirs = { name: 'macaw', config: { prompt: 'Hi', rounds: 4, words: ['a', 'b'] }, note: 'new', same: 1 };
  expect(fieldDifferences(mine, theirs)).toEqual([
    { path: 'name', mine: 'lory', theirs: 'macaw' },
    { path: 'config.rounds', mine: '3', theirs: '4' },
    { path: 'config.words', mine: JSON.stringify(['a'], null, 2), theirs: JSON.stringify(['a', 'b'], null, 2) },
    { path: 'note', mine: '', theirs: 'new' },
  ]);
});

it('names fields that one version does not have', () => {
  expect(fieldDifferences({ a: 1 }, { b: 2 })).toEqual([
    { path: 'a', mine: '1', theirs: '' },
    { path: 'b', mine: '', theirs: '2' },
  ]);
});

it('shows no secrets', () => {
  secretTexts.add('sk-mine');
  const mine = { token: 'sk-mine', pairs: [{ name: 'A', value: 'sk-mine' }] };
  expect(fieldDifferences(mine, { token: 'mask', pairs: [] })).toEqual([
    { path: 'token', mine: null, theirs: null },
    { path: 'pairs', mine: null, theirs: null },
  ]);
});
