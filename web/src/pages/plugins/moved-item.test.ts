import { expect, it } from 'vitest';
import { movedItem } from './moved-item.ts';

it.each([
  ['c', 0, 'cabd'],
  ['a', 2, 'bcad'],
  ['b', 3, 'acdb'],
  ['b', 9, 'acdb'],
  ['b', -1, 'bacd'],
  ['b', 1, 'abcd'],
])('moves %s to %i', (item, to, expected) => {
  expect(movedItem([...'abcd'], item, to).join('')).toBe(expected);
});
