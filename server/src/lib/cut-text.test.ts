import { expect, it } from 'vitest';
import { cutToBytes } from './cut-text.ts';

it.each([
  ['', 0, ''],
  ['abc', 3, 'abc'],
  ['abc', 100, 'abc'],
  ['abc', 2, 'ab'],
  ['aé', 2, 'a'],
  ['aé', 3, 'aé'],
  ['今天', 5, '今'],
  ['a😀b', 4, 'a'],
  ['a😀b', 5, 'a😀'],
  ['a', 0, ''],
])('cuts %j to %d bytes', (text, bytes, expected) => {
  expect(cutToBytes(text, bytes)).toBe(expected);
});

it('counts a lone surrogate as the three bytes of its replacement', () => {
  expect(cutToBytes('\ud83da', 2)).toBe('');
  expect(cutToBytes('\ud83da', 4)).toBe('\ud83da');
});
