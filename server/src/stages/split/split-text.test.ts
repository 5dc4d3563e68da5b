import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownLines } from './markdown-lines.ts';
import { firstPart, piecesOf, splitText } from './split-text.ts';
import type { TextSize } from './text-size.ts';

const utf16 = (most: number): TextSize => ({ most, unit: 'utf16' });
const split = (text: string, limit: number) => splitText(text, { limit: utf16(limit) });
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

describe('a text is cut', () => {
  it.each<[string, string, number, string[]]>([
    ['not at all when it is short', 'a\n\nb  ', 7, ['a\n\nb  ']],
    ['between paragraphs', 'One is long.\n\nTwo.\nThree.', 22, ['One is long.', 'Two.\nThree.']],
    ['between lines', 'One is long\nand two\nis longer', 20, ['One is long\nand two', 'is longer']],
    [
      'before the rows of a table',
      'The table:\n| a | b |\n|---|---|\n| c | d |\n',
      31,
      ['The table:\n| a | b |\n|---|---|', '| c | d |\n'],
    ],
    ['before a table', 'This is the table:\n| a |\n|---|\n| c |', 32, ['This is the table:', '| a |\n|---|\n| c |']],
    [
      'not behind a heading',
      'Some more words\n# Heading\nMore words',
      30,
      ['Some more words', '# Heading\nMore words'],
    ],
    ['between sentences', 'One is long. Two is longer than one', 24, ['One is long.', 'Two is longer than one']],
    [
      'between sentences without spaces',
      '这是第一句话。这是第二句话，很长',
      12,
      ['这是第一句话。', '这是第二句话，很长'],
    ],
    ['not after the number of an item', 'Words here\n1. item', 13, ['Words here', '1. item']],
    ['between words', 'one two three four', 10, ['one two', 'three four']],
    ['between words and in those that are longer than a message', 'abcdefghijkl mn', 5, ['abcde', 'fghij', 'kl mn']],
    ['between Chinese words', '我们今天下午去公园散步好吗', 8, ['我们今天下午去', '公园散步好吗']],
    ['not before a mark', '我们今天下午，去公园散步', 6, ['我们今天', '下午，去公园', '散步']],
    [
      'before a link',
      'You should see what is at [the name](https://example.com/a) there',
      40,
      ['You should see what is at', '[the name](https://example.com/a) there'],
    ],
    ['before code', 'run it with that `some code` now', 26, ['run it with that', '`some code` now']],
    ['before strong words', 'this is what is **very strong** ok', 28, ['this is what is', '**very strong** ok']],
    [
      'within a link that is longer than a message',
      '[a b c d e f g h](https://example.com/i)',
      12,
      ['[a b c d e f', 'g h](https:/', '/example.com', '/i)'],
    ],
  ])('%s: %j', (_, text, limit, pieces) => {
    expect(split(text, limit)).toEqual(pieces);
  });

  it('so that no character of several code units is cut in two', () => {
    expect(split('👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 20)).toEqual(['👨‍👩‍👧👨‍👩‍👧', '👨‍👩‍👧']);
    expect(split('e\u0301e\u0301e\u0301', 3)).toEqual(['e\u0301', 'e\u0301', 'e\u0301']);
    // One that is longer than a message is, between its parts.
    expect(split('👨‍👩‍👧', 3)).toEqual(['👨\u200d', '👩\u200d', '👧']);
    expect(split('😀😀', 1)).toEqual(['😀', '😀']);
  });

  it('so that the start of lines stays', () => {
    expect(split('- one\n  - two and more\n  - three', 22)).toEqual(['- one\n  - two and more', '  - three']);
    expect(split('first words\n\n\n    indented', 16)).toEqual(['first words', '    indented']);
  });
});

describe('a block of code', () => {
  const code = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');

  it('continues in the next part, in its language', () => {
    expect(split(`Look:\n\n\`\`\`js\n${code(6)}\n\`\`\`\nDone.`, 36)).toEqual([
      'Look:\n\n```js\nline 0\nline 1\n```',
      '```js\nline 2\nline 3\nline 4\n```',
      '```js\nline 5\n```\nDone.',
    ]);
  });

  it('stays whole where the text before it fills half of a message', () => {
    const block = `~~~\n${code(4)}\n~~~`;
    expect(split(`Words, words, words, words.\n${block}`, 50)).toEqual(['Words, words, words, words.', block]);
  });

  it('is cut at its blank lines', () => {
    expect(split('```\na = 1\nb = 2\n\n  c = 3\nd = 4\n```', 32)).toEqual([
      '```\na = 1\nb = 2\n```',
      '```\n  c = 3\nd = 4\n```',
    ]);
  });

  it('may have longer marks, an indent and other marks within it', () => {
    const block = `  \`\`\`\`md\n  \`\`\`\n  ${'x'.repeat(20)}\n  \`\`\`\n  y\n  \`\`\`\``;
    expect(split(`${block}\nend`, 52)).toEqual([
      `  \`\`\`\`md\n  \`\`\`\n  ${'x'.repeat(20)}\n  \`\`\`\n  \`\`\`\``,
      '  ````md\n  y\n  ````\nend',
    ]);
  });

  it('is not inline code, or text after it', () => {
    expect(split('```a``` and words\nmore words here', 24)).toEqual(['```a``` and words', 'more words here']);
    expect(split('```\na\n```\nwords and words\nmore words', 28)).toEqual([
      '```\na\n```\nwords and words',
      'more words',
    ]);
  });

  it('continues without marks if they would take most of a message', () => {
    expect(split('```javascript\na b c d e f g h\n```', 16)).toEqual(['```javascript', 'a b c d e f g h', '```']);
  });
});

describe('the first message', () => {
  it('may have less room', () => {
    expect(splitText('one two three four five', { limit: utf16(12), used: 4 })).toEqual([
      'one two',
      'three four',
      'five',
    ]);
  });
});

/** Markdown in small, of everything that matters for where to cut. */
const markdown = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('word', 'a', 'longer-words', '中文', '今天下午', '。', '，', '. ', '? '),
      },
      { weight: 3, arbitrary: fc.constantFrom(' ', '\n', '\n\n', '  \n', '\n    ') },
      { weight: 2, arbitrary: fc.constantFrom('[a link](https://example.com/a)', '`code of it`', '**strong words**') },
      { weight: 2, arbitrary: fc.constantFrom('\n```js\n', '\n```\n', '\n~~~\n', '\n| a | b |\n', '\n# H\n', '\n- ') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('👨‍👩‍👧', 'e\u0301', '🇩🇪', '`', '[', '](', '**', '\\', '```', '> ', '\r\n'),
      },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
const limits = fc.oneof(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 40, max: 200 }));

describe('whatever the text and the limit', () => {
  it('each part fits, and only white space is lost', () => {
    const property = fc.property(markdown, limits, limits, (text, limit, less) => {
      const first = Math.min(limit, less);
      const room = { limit: utf16(limit), used: limit - first };
      const pieces = [...piecesOf(text, room)];
      const texts = splitText(text, room);
      for (const [index, piece] of texts.entries()) {
        expect(piece.length).toBeLessThanOrEqual(index === 0 ? first : limit);
        if (index > 0) expect(piece.trim()).not.toBe('');
      }
      let end = 0;
      for (const piece of pieces) {
        expect(text.slice(end, piece.start).trim()).toBe('');
        end = piece.end;
      }
      expect(text.slice(end).trim()).toBe('');
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('no character is cut in two that fits into a message', () => {
    const property = fc.property(markdown, fc.integer({ min: 30, max: 200 }), (text, limit) => {
      const starts = new Set([0, ...[...graphemes.segment(text)].map(({ index }) => index)]);
      for (const { start, end } of piecesOf(text, { limit: utf16(limit) })) {
        expect(starts.has(start)).toBe(true);
        expect(end === text.length || starts.has(end) || text[end] === '\n').toBe(true);
      }
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('every code block that is opened in a part is closed in it', () => {
    const lines = fc.array(fc.constantFrom('```js', '```', 'some code here', '', 'words and words.'), {
      maxLength: 30,
    });
    const property = fc.property(lines, fc.integer({ min: 40, max: 100 }), (parts, limit) => {
      const isOpen = (text: string) =>
        markdownLines(text, { fence: null, limit: utf16(limit), isAll: true }).at(-1)?.fence !== null;
      const text = parts.join('\n');
      const pieces = splitText(text, { limit: utf16(limit) });
      expect(pieces.map(isOpen)).toEqual(pieces.map((_, index) => index === pieces.length - 1 && isOpen(text)));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('the first part of a streamed text never becomes shorter', () => {
    const property = fc.property(markdown, fc.integer({ min: 30, max: 120 }), (text, limit) => {
      const room = { limit: utf16(limit) };
      const [first = ''] = splitText(text, room);
      let shown = '';
      for (let end = 0; end <= text.length; end += 1) {
        const part = firstPart(text.slice(0, end), room);
        expect(part.startsWith(shown)).toBe(true);
        expect(part.length).toBeLessThanOrEqual(Math.max(2, limit));
        shown = part;
      }
      expect(first.startsWith(shown)).toBe(true);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

it('takes a time in proportion to the text, however hostile it is', () => {
  const started = performance.now();
  for (const part of [
    '[',
    '](',
    '`',
    '``a',
    '**a ',
    '![',
    '> ',
    '\\',
    '| ',
    '\n```',
    'http://',
    '。',
    '   ',
    'e\u0301',
  ]) {
    splitText(part.repeat(100_000), { limit: utf16(4000) });
    firstPart(part.repeat(50_000), { limit: utf16(1_000_000) });
  }
  expect(performance.now() - started).toBeLessThan(20_000);
});
