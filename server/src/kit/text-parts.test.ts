import { describe, expect, it } from 'vitest';
import { textParts } from './text-parts.ts';

describe('the parts of a text', () => {
  it.each([
    ['fits', 'four', 4, 'utf16', ['four']],
    ['is one too long', 'fives', 4, 'utf16', ['five', 's']],
    ['has lines', 'one\ntwo three', 10, 'utf16', ['one\ntwo ', 'three']],
    ['has a line break in its second half', 'one two\nthree', 10, 'utf16', ['one two\n', 'three']],
    ['has a break too early', 'a bcdefghijkl', 10, 'utf16', ['a bcdefghi', 'jkl']],
    ['counts bytes', '你好啊', 6, 'bytes', ['你好', '啊']],
    ['counts code points', '😀😀😀', 2, 'code_points', ['😀😀', '😀']],
    ['counts UTF-16 units', '😀😀😀', 4, 'utf16', ['😀😀', '😀']],
    ['has characters of several code points', '👩‍👩‍👧👩‍👩‍👧', 10, 'utf16', ['👩‍👩‍👧', '👩‍👩‍👧']],
    ['has one character that is too long', '👩\u200d👩', 2, 'utf16', ['👩', '\u200d', '👩']],
    ['is empty', '', 2, 'utf16', ['']],
  ] as const)('when it %s', (_, text, most, unit, parts) => {
    expect(textParts(text, { most, unit })).toEqual(parts);
  });

  it('are the text again, and none is too long', () => {
    const text = 'Lorem ipsum\ndolor sit 你好 😀 '.repeat(400);
    const parts = textParts(text, { most: 100, unit: 'bytes' });
    expect(parts.join('')).toBe(text);
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(100);
  });
});
