import { RE2JS } from 're2js';
import { expect, it } from 'vitest';
import { matchLengths } from './match-lengths.ts';

const lengths = (pattern: string) => matchLengths(RE2JS.compile(pattern), 10);

it.each<[string, number | null, number | null]>([
  ['abc', 3, 3],
  ['a|bcd|ef', 1, 3],
  ['a{2,5}b?', 2, 6],
  ['(ab){1,5}', 2, 10],
  ['(ab){1,6}', 2, null],
  ['a*', 0, null],
  ['ab+c', 3, null],
  ['x.*?y', 2, null],
  ['', 0, 0],
  ['(|a)(|b)', 0, 2],
  ['(a*)*', 0, null],
  ['[一-龥]{3}', 3, 3],
  ['😀.', 2, 2],
  ['(?i)straße', 6, 6],
  ['a{11}', null, null],
  ['(a|b{11})', 1, null],
  ['[^\\x00-\\x{10FFFF}]', null, null],
])('%s matches from %s to %s characters', (pattern, shortest, longest) => {
  expect(lengths(pattern)).toEqual({ shortest, longest, looksAround: false });
});

it.each(['\\bab\\b', '^ab', 'ab$', '(?m)ab$', '\\Aab', 'ab\\z', 'a\\Bb'])('%s depends on the context', (pattern) => {
  expect(lengths(pattern)).toEqual({ shortest: 2, longest: 2, looksAround: true });
});
