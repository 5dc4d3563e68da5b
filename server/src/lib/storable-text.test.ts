import { expect, it } from 'vitest';
import { storableText } from './storable-text.ts';

it.each([
  ['', ''],
  ['plain', 'plain'],
  ['👩‍👩‍👧‍👦 你好\n\t', '👩‍👩‍👧‍👦 你好\n\t'],
  ['a\0b\0', 'a\ufffdb\ufffd'],
  ['\ud800a\udc00', '\ufffda\ufffd'],
])('makes %j into %j', (text, stored) => {
  expect(storableText(text)).toBe(stored);
});
