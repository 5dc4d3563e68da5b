import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { fromPythonPattern } from './python-pattern.ts';

const matches = (pattern: string, text: string) => RE2JS.compile(fromPythonPattern(pattern)).test(text);

describe('fromPythonPattern', () => {
  it.each([
    // What `\w`, `\d` and `\s` mean in Python reaches beyond ASCII.
    ['^\\w+$', '你好_1é', true],
    ['^\\w+$', '你好！', false],
    ['^\\W+$', '！？ …', true],
    ['^\\W$', '_', false],
    ['^\\d+$', '１２३', true],
    ['^\\D$', '１', false],
    ['^a\\sb$', 'a\u3000b', true],
    ['^a\\Sb$', 'a\u3000b', false],
    ['^\\S$', '你', true],
    // The same inside of brackets, negated as well.
    ['^[\\w-]+$', '你-好', true],
    ['^[^\\W_]+$', '你好', true],
    ['^[^\\W_]+$', '你_好', false],
    ['^[\\s,]+$', '\u3000,', true],
    ['^[^\\S]$', ' ', true],
    ['^[\\d.]+$', '１.२', true],
    ['^[\\D]$', '1', false],
    // Spellings.
    ['(?P<greeting>hi) there', 'hi there', true],
    ['\\u4f60\\u597D', '你好', true],
    ['[\\u4e00-\\u9fff]+', '好', true],
    ['^\\U0001F600$', '😀', true],
    ['ab\\Z', 'ab', true],
    ['ab\\Z', 'abc', false],
    ['a(?#a comment)b', 'ab', true],
    ['^a{,2}$', 'aa', true],
    ['^a{,2}$', 'aaa', false],
    ['你\\，好', '你，好', true],
    ['(?i)HELLO', 'hello', true],
    // A class may start with its own closing bracket, and contain opening ones.
    ['^[]a]+$', ']a', true],
    ['^[^]a]$', ']', false],
    ['^[[a]+$', '[a', true],
    ['^[a[]+$', 'a[', true],
    ['^[a[]\\w$', '[你', true],
    ['^[a[^]\\w$', '^你', true],
    ['^[(?#)]+$', '(?#)', true],
    ['^[{,2}]+$', '{,2}', true],
    // Escaped characters are no syntax.
    ['\\[\\w', '[你', true],
    ['\\\\d', '\\d', true],
    ['^\\\\\\d$', '\\1', true],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it.each(['(?=a)b', 'a(?!b)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?P<n>a)(?P=n)', '[a', '(a', '\\', 'a**'])(
    'leaves %s to be refused',
    (pattern) => {
      expect(() => RE2JS.compile(fromPythonPattern(pattern))).toThrow();
    },
  );

  it('keeps white space and the rest apart for every character, and letters and the rest', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), (character) => {
        for (const letter of ['s', 'w', 'd']) {
          const inside = matches(`^[\\${letter}]$`, character);
          expect(matches(`^[\\${letter.toUpperCase()}]$`, character)).toBe(!inside);
          expect(matches(`^\\${letter}$`, character)).toBe(inside);
          expect(matches(`^\\${letter.toUpperCase()}$`, character)).toBe(!inside);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('does not change other text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z你好 ,.!?]{0,40}$/u), (text) => {
        expect(fromPythonPattern(text)).toBe(text);
      }),
    );
  });
});
