import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrapText } from './wrap-text.ts';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Latin letters are one wide, everything else two. */
const measure = (text: string) =>
  [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (segment.charCodeAt(0) < 0x250 ? 1 : 2), 0);
const { signal } = new AbortController();
const wrap = (text: string, width = 10) => wrapText(text, width, measure, signal);

describe('a text is broken', () => {
  it.each<[string, string, number, string[]]>([
    ['not at all when it fits', 'one two', 10, ['one two']],
    ['between words', 'one two three', 10, ['one two', 'three']],
    ['where it is broken already', 'one\n\ntwo\r\nthree\rfour\n', 10, ['one', '', 'two', 'three', 'four', '']],
    ['between Chinese words', '我们今天下午去公园', 8, ['我们今天', '下午去', '公园']],
    ['not before marks that close', '我们今天，下午去', 8, ['我们', '今天，', '下午去']],
    ['not behind marks that open', '我们在（今天）去', 8, ['我们在', '（今天）', '去']],
    ['not before a comma', 'one two, three', 7, ['one', 'two,', 'three']],
    ['within a word that is too wide', 'a superlongword', 6, ['a', 'superl', 'ongwor', 'd']],
    ['not within a character', '👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 4, ['👨‍👩‍👧👨‍👩‍👧', '👨‍👩‍👧']],
    ['so that a line keeps its indent', '  one two\n\tfive\n\tseven', 8, ['  one', 'two', '    five', 'seven']],
    ['without characters that cannot be drawn', 'a\u0000b\u001b[31mc\u007f\ud800', 20, ['ab[31mc\ufffd']],
    ['not at all when it is empty', '', 10, ['']],
  ])('%s: %j', async (_, text, width, lines) => {
    expect(await wrap(text, width)).toEqual(lines);
  });

  it('so that no line is too wide and nothing is lost but white space', async () => {
    const part = fc.constantFrom(
      'word',
      'a',
      ' ',
      '  ',
      '\n',
      '，',
      '。',
      '（',
      '中文',
      '今天',
      ',',
      '...',
      '👨‍👩‍👧',
      '“',
    );
    const property = fc.asyncProperty(fc.array(part), fc.integer({ min: 2, max: 30 }), async (parts, width) => {
      const text = parts.join('');
      const lines = await wrap(text, width);
      for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
      expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it('yielding to others, until it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('aborted');
    let turns = 0;
    const others = (async () => {
      for (; turns < 3; turns += 1) await nextTurn();
      controller.abort(reason);
    })();
    const text = Array.from({ length: 300_000 }, (_, index) => `word${index}`).join(' ');
    await expect(wrapText(text, 50, measure, controller.signal)).rejects.toBe(reason);
    await others;
  });
});
