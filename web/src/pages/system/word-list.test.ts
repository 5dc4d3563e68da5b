import { expect, test } from 'vitest';
import { wordFaults, wordsOf } from './word-list.ts';

test('a word in each line, as it is', () => {
  expect(wordsOf('one\r\n\n two \n  \nthree')).toEqual(['one', ' two ', 'three']);
});

test('a fault names its word', () => {
  const faults = [
    { path: 'words[1]', message: 'is no pattern' },
    { path: 'mask', message: 'is too long' },
  ];
  expect(wordFaults('a\n\n(', faults)).toEqual(['(: is no pattern']);
});
