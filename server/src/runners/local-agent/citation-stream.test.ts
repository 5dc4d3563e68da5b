import type { KnowledgePassage } from '@parley/sdk';
import { knowledgePassage } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CitationStream } from './citation-stream.ts';
import { findQuote } from './quote-search.ts';

const opening = knowledgePassage('We open at nine – every day, “Sundays” too.');
const closing = knowledgePassage('We close at five.\nThe café closes\nat four.');
const code = knowledgePassage('Use `list[1]` or ["a", "b"] in cafe\u0301 mode.');
const passages = new Map<number, KnowledgePassage>([
  [1, opening],
  [2, closing],
  [3, code],
]);

/** The result for an answer split into these chunks. */
function read(pieces: readonly string[], shown: ReadonlyMap<number, KnowledgePassage> = passages) {
  const stream = new CitationStream(shown);
  const text = [...pieces.map((piece) => stream.push(piece)), stream.flush()].join('');
  return { text, report: stream.report };
}
const textOf = (answer: string) => read([answer]).text;
const quotesOf = (answer: string) => read([answer]).report.citations.map(({ number, quote }) => [number, quote]);

describe('citations that hold', () => {
  it.each([
    ['with a quote', 'At nine [1: "We open at nine"].', 'At nine [1].', 'We open at nine'],
    ['with other spaces and dashes', 'At nine [1:"we  open at nine - every day"].', 'At nine [1].', undefined],
    [
      'with other quotation marks',
      'Sundays [1: "every day, "Sundays" too."].',
      'Sundays [1].',
      'every day, “Sundays” too.',
    ],
    ['with escaped quotation marks', 'S [1: "every day, \\"Sundays\\" too"]', 'S [1]', 'every day, “Sundays” too'],
    ['over lines', 'At four [2: "The café closes at four"].', 'At four [1].', 'The café closes\nat four'],
    ['with a full stop that is not there', 'Nine [1: "We open at nine."]', 'Nine [1]', 'We open at nine'],
    ['with an ellipsis', 'Five [2: "...close at five…"]', 'Five [1]', 'close at five'],
    ['in another form of the same characters', 'Mode [3: "CAFÉ mode"]', 'Mode [1]', 'cafe\u0301 mode'],
    ['up to an accent', 'Mode [3: "in cafe"]', 'Mode [1]', 'in cafe\u0301'],
    ['in curly quotation marks', 'Nine [1: “We open at nine”]', 'Nine [1]', 'We open at nine'],
    ['in other brackets', '九点【1：“We open at nine”】。', '九点[1]。', 'We open at nine'],
    ['in corner brackets', '九点[1：「We open at nine」]。', '九点[1]。', 'We open at nine'],
    ['without quotation marks', 'Nine [1: We open at nine]', 'Nine [1]', 'We open at nine'],
    ['with brackets in the quote', 'Use [3: "Use `list[1]` or"]', 'Use [1]', 'Use `list[1]` or'],
    ['that follow a word', 'nine[1: "We open at nine"]', 'nine[1]', 'We open at nine'],
    ['in a list', '- nine [1: "We open at nine"]', '- nine [1]', 'We open at nine'],
    ['in bold', '**nine [1: "We open at nine"]**', '**nine [1]**', 'We open at nine'],
    ['without words in the quote', 'Nine [1: ""]', 'Nine [1]', null],
    ['bare', 'Five [2].', 'Five [1].', null],
    ['bare, in other brackets', '五点【2】。', '五点[1]。', null],
  ])('are numbered: %s', (_, answer, text, quote) => {
    const { report, ...shown } = read([answer]);
    expect(shown.text).toBe(text);
    expect(report.dropped).toBe(0);
    expect(report.citations).toHaveLength(1);
    if (quote !== undefined) expect(report.citations[0]?.quote).toBe(quote);
  });

  it('are numbered in the order of their first use', () => {
    expect(textOf('A [2: "close at five"], B [1], C [2: "at four"][3].')).toBe('A [1], B [2], C [1][3].');
    expect(quotesOf('A [2: "close at five"], B [1], C [2: "at four"][2].')).toEqual([
      [1, 'close at five'],
      [1, 'at four'],
      [2, null],
    ]);
  });

  it('may name several passages, or several quotes', () => {
    expect(textOf('A [2, 1].')).toBe('A [1][2].');
    expect(textOf('A [2、9].')).toBe('A [1].');
    expect(textOf('A [2: "close at five"; 1: "open at nine"].')).toBe('A [1][2].');
    expect(textOf('A [2: "close at five", "at four"].')).toBe('A [1].');
    expect(quotesOf('A [2: "close at five", "at four"].')).toEqual([
      [1, 'close at five'],
      [1, 'at four'],
    ]);
  });

  it('tell where exactly the quote stands', () => {
    const [citation] = read(['[2: "the CAFÉ closes at four"]']).report.citations;
    expect(citation).toEqual({
      number: 1,
      knowledge_base_uuid: 'base-1',
      chunk_id: closing.id,
      source: { ...closing.source, start: 1018, end: 1041 },
      quote: 'The café closes\nat four',
    });
    expect(closing.text.slice(18, 41)).toBe('The café closes\nat four');
  });

  it('have only the position of the passage when its text differs from the document', () => {
    const source = { ...opening.source, start: 0, end: 5 } as KnowledgePassage['source'];
    const { report } = read(
      ['[1: "open"] [2: "x"] [3]'],
      new Map([
        [1, { ...opening, source }],
        [3, { ...opening, source: null }],
      ]),
    );
    expect(report.citations.map((citation) => citation.source)).toEqual([source, null]);
    expect(report.dropped).toBe(1);
  });
});

describe('citations that do not hold', () => {
  it.each([
    ['a quote that is not there', 'At ten [1: "We open at ten"].', 'At ten.'],
    ['a quote of another passage', 'At five [1: "We close at five"] or so', 'At five or so'],
    ['a number that does not exist', 'At ten [4: "We open at nine"]\nSo', 'At ten\nSo'],
    ['a bare number that does not exist', 'At ten [17], so', 'At ten, so'],
    ['unquoted text that is not in the passage', 'At ten [1: opens at ten] so', 'At ten so'],
    ['a quote of nothing but punctuation', 'At ten [1: "..."]', 'At ten'],
    ['the first of a line', '[7] At ten', ' At ten'],
    ['two after another', 'At ten [7][8: "x"], so', 'At ten, so'],
    ['before a word', 'At ten [7]so', 'At ten so'],
  ])('are taken out: %s', (_, answer, text) => {
    const { report, ...shown } = read([answer]);
    expect(shown.text).toBe(text);
    expect(report.citations).toEqual([]);
    expect(report.dropped).toBeGreaterThan(0);
  });

  it('are counted along with valid ones', () => {
    const { text, report } = read(['A [1: "We open", "We shut"] B [1: "nope"] C [2: "We close"; 9: "x"]']);
    expect(text).toBe('A [1] B C [2]');
    expect(report).toMatchObject({ citations: [{ quote: 'We open' }, { quote: 'We close' }], dropped: 3 });
  });
});

describe('text that is not a citation', () => {
  it.each([
    ['plain text', 'Nothing [here] or [there: "x"], [a1], [01], [0], [1234], [-1], [1.5], [ ] [x] [^1] [*]'],
    ['links', 'See [1](https://a.example/x[1]) and [a](https://b.example?c[1]) and ![2](x.png) and [1: x](y)'],
    ['links by reference', 'See [the site][1]\n\n[1]: https://a.example'],
    ['code in a line', 'Use `a[1]` and ``b ` [1: "x"]`` and `[1: "y"]`.'],
    ['blocks of code', 'So:\n```js\nconst a = b[1] + [1: "x"];\n``\n```\n'],
    ['blocks of code with tildes', '~~~\n[1]\n```\n[9]\n~~~~'],
    ['blocks of code in lists', '1. So:\n   ```\n   [9]\n   ```\n- ```\n  [9]\n  ```'],
    ['a block of code that does not end', '````\n[9]\n```\n[9: "x"]'],
    ['lists of numbers', 'The list [10, 20, 30] and [7, 8]'],
    ['assignments', 'x[1]=2'],
    ['escaped brackets', 'Not \\[1\\] nor \\[9: "x"]'],
    ['an unclosed bracket', 'See [1: "We open at nine and so on'],
    ['one that starts again before it ends', 'See [1: "We open. [x] and'],
    ['one across paragraphs', 'See [9: "We\n\nopen"]'],
    ['one that is too long', `See [9: "${'word '.repeat(400)}"]`],
    ['a lone bracket', 'See ['],
    ['white space', ' \n\t  \n                                          x   '],
  ])('stays as it is: %s', (_, answer) => {
    expect(read([answer])).toEqual({ text: answer, report: { citations: [], dropped: 0 } });
  });

  it('does not hide a citation behind it', () => {
    expect(textOf('`code` [2] and ```inline``` [1]')).toBe('`code` [1] and ```inline``` [2]');
    expect(textOf('an unclosed ` mark\nthen [2]')).toBe('an unclosed ` mark\nthen [1]');
    expect(textOf('```\n[9]\n```\n[2]')).toBe('```\n[9]\n```\n[1]');
    expect(textOf('See [9: "never closed, but [2: "close at five"]')).toBe('See [9: "never closed, but [1]');
    expect(textOf('[a](b)[2]')).toBe('[a](b)[1]');
  });

  it('is everything, while there are no passages', () => {
    const answer = 'A [1: "x"] [2] [3, 4]';
    expect(read([answer], new Map())).toEqual({ text: answer, report: { citations: [], dropped: 0 } });
  });
});

describe('a streamed answer', () => {
  const fragments = [
    ...[
      '[1: "We open at nine"]',
      '[2: "close at five"; 1: "We open"]',
      '[1]',
      '[2, 1]',
      '[9]',
      '[1: "no"]',
      '[1: We open]',
    ],
    ...[
      '【2：“close at five”】',
      '[',
      ']',
      '(',
      ')',
      '"',
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\n\n',
      ' ',
      '  ',
      '\\',
      ':',
      '1',
      ',',
    ],
    ...[
      '[1: "',
      '"]',
      '[2',
      'word',
      'We open',
      '- ',
      '> ',
      '1. ',
      '](',
      '[1](x)',
      '=',
      '\t',
      '“',
      '「',
      '」]',
      '[1: "a\n',
      '😀',
    ],
    `${' '.repeat(17)}`,
  ];
  const answers = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 3 })), { maxLength: 25 });

  it('is the same however it is cut', () => {
    const cuts = fc.array(fc.nat(12), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(answers, cuts, (parts, lengths) => {
        const answer = parts.join('');
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < answer.length; turn += 1) {
          const length = (lengths[turn % lengths.length] as number) + 1;
          pieces.push(answer.slice(at, at + length));
          at += length;
        }
        const whole = read([answer]);
        expect(read(pieces)).toEqual(whole);
        expect(read(answer.split(''))).toEqual(whole);
      }),
      { numRuns: 3000 },
    );
  });

  it('has no citation that is not on record, and no number that is not', () => {
    fc.assert(
      fc.property(answers, (parts) => {
        const { citations } = read([parts.join('')]).report;
        const numbers = [...new Set(citations.map(({ number }) => number))];
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        for (const { quote, chunk_id } of citations) {
          const passage = [...passages.values()].find(({ id }) => id === chunk_id);
          expect(passage?.text).toContain(quote ?? '');
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('stays as it is where it has no brackets', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (parts) => {
        const pieces = parts.map((part) => part.replaceAll(/[[【［]/g, ''));
        expect(read(pieces)).toEqual({ text: pieces.join(''), report: { citations: [], dropped: 0 } });
      }),
    );
  });

  it('is shown as it arrives except for possible citations', () => {
    const stream = new CitationStream(passages);
    expect(stream.push('At nine')).toBe('At nine');
    expect(stream.push(' [1: "We')).toBe('');
    expect(stream.push(' open at nine"')).toBe('');
    expect(stream.push('] we open [now')).toBe(' [1] we open [now');
    expect(stream.push('] `code [1: "')).toBe('] `code [1: "');
    expect(stream.flush()).toBe('');
  });

  it('is not held back for ever', () => {
    const stream = new CitationStream(passages);
    let held = 0;
    let shown = 0;
    for (let count = 0; count < 20_000; count += 1) {
      const piece = count % 100 === 0 ? '[1: "' : 'x';
      held += piece.length;
      shown += stream.push(piece).length;
      expect(held - shown).toBeLessThan(1600);
    }
  });
});

describe('findQuote', () => {
  it('finds every part of a text where it stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (before, quote) => {
        const text = `${before}¶${quote}`;
        const found = findQuote(text, `¶${quote}`);
        expect(found).not.toBeNull();
        expect(text.slice(found?.start, found?.end)).toContain('¶');
      }),
    );
  });

  it.each(['', ' ', '"', '…', '\u200b'])('finds nothing for %j', (quote) => {
    expect(findQuote('some text', quote)).toBeNull();
  });

  it('tells numbers from others', () => {
    expect(findQuote('from -5 to 10 degrees, 1020 in all', '10-20')).toBeNull();
    expect(findQuote('10–20 degrees', '10-20')).toEqual({ start: 0, end: 5 });
    expect(findQuote('5 degrees', '-5 degrees')).toBeNull();
  });
});
