import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMarkdown } from './markdown.ts';

/** The text, and for each kind of formatting what it covers. */
function shown(markdown: string) {
  const { text, entities } = formatMarkdown(markdown);
  return [text, ...entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)])];
}

describe('Markdown is shown', () => {
  it.each<[string, string, ...unknown[]]>([
    ['bold', 'a **b c** d', 'a b c d', ['bold', 'b c']],
    ['bold with underscores', 'a __b__', 'a b', ['bold', 'b']],
    ['italic', '*a* _b_', 'a b', ['italic', 'a'], ['italic', 'b']],
    ['bold and italic', '***a***', 'a', ['italic', 'a'], ['bold', 'a']],
    ['italic in bold', '**a *b* c**', 'a b c', ['bold', 'a b c'], ['italic', 'b']],
    ['struck through', '~~a~~', 'a', ['strikethrough', 'a']],
    ['code', '`a*b*` ``c`d``', 'a*b* c`d', ['code', 'a*b*'], ['code', 'c`d']],
    ['code in bold', '**a `b` c**', 'a b c', ['bold', 'a '], ['code', 'b'], ['bold', ' c']],
    ['a link', '[a *b*](https://x.org/y_(z) "t")', 'a b', ['text_link', 'a b'], ['italic', 'b']],
    ['a picture', '![a](https://x.org/p.png)', 'a', ['text_link', 'a']],
    ['a link without words', '[](https://x.org)', 'https://x.org', ['text_link', 'https://x.org']],
    ['a link that nobody can open', '[a](/b) [c](javascript:d)', 'a (/b) c (javascript:d)'],
    ['an address', '<https://x.org/a_b_c> https://x.org/d_e_f', 'https://x.org/a_b_c https://x.org/d_e_f'],
    ['a bold address', '**https://x.org**', 'https://x.org', ['bold', 'https://x.org']],
    ['a heading', '# a `b` **c** #\nd', 'a b c\nd', ['bold', 'a '], ['code', 'b'], ['bold', ' c']],
    ['a list', '- a\n* **b**\n  + c\n1. d', '• a\n• b\n  • c\n1. d', ['bold', 'b']],
    ['a list of tasks', '- [ ] a\n- [x] b', '☐ a\n☑ b'],
    ['a quotation', '> a\n> > **b**\nc', 'a\nb\nc', ['blockquote', 'a\nb'], ['bold', 'b']],
    ['a rule', 'a\n\n* * *\nb', 'a\n\n──────────\nb'],
    [
      'thoughts',
      '<think>\nhm\n\n*so*\n</think>\n\na',
      'hm\n\nso\n\na',
      ['expandable_blockquote', 'hm\n\nso'],
      ['italic', 'so'],
    ],
    [
      'a table',
      '| a | b |\n|---|:-:|\n| 中文 | **2** |\nc',
      'a    | b\n-----+--\n中文 | 2\nc',
      ['pre', 'a    | b\n-----+--\n中文 | 2'],
    ],
    ['lines', 'a\nb\n\nc\r\nd', 'a\nb\n\nc\nd'],
  ])('%s', (_, markdown, ...expected) => {
    // The rule below a table is as wide as its columns, whatever their letters.
    const [text, ...entities] = shown(markdown);
    const normal = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/-{3,}\+-+/g, '-----+--'));
    expect(normal([text, ...entities])).toEqual(expected);
  });

  it('a block of code, with its language', () => {
    const { text, entities } = formatMarkdown('a\n```js\nlet x = **1**;\n\n```\nb\n~~~\n```\n~~~');
    expect(text).toBe('a\nlet x = **1**;\n\nb\n```');
    expect(entities).toEqual([
      { type: 'pre', language: 'js', offset: 2, length: 15 },
      { type: 'pre', offset: text.length - 3, length: 3 },
    ]);
  });

  it.each([
    ['2 * 3 * 4'],
    ['snake_case_name'],
    ['**open'],
    ['a ~5 and ~6'],
    ['[a] [b'],
    ['[a](b c'],
    ['`open'],
    ['a | b'],
    ['#hashtag'],
    ['<b>x</b> & y'],
    ['-1'],
    ['*'],
    ['a ** ** b'],
    ['5*'],
  ])('%s as it is written', (markdown) => {
    expect(shown(markdown)).toEqual([markdown]);
  });

  it('escaped characters as they are', () => {
    expect(shown('\\*a\\* \\_ \\a \\')).toEqual(['*a* _ \\a \\']);
  });

  it('what is not closed yet as it was written, except code', () => {
    expect(shown('a **b')).toEqual(['a **b']);
    expect(shown('a\n```py\nx = 1')).toEqual(['a\nx = 1', ['pre', 'x = 1']]);
  });

  it('emphasis inside a link ends there', () => {
    expect(shown('*a [b* c](https://x.org)')).toEqual(['*a b* c', ['text_link', 'b* c']]);
    expect(shown('[a *b](https://x.org) c*')).toEqual(['a *b c*', ['text_link', 'a *b']]);
  });
});

describe('whatever the text', () => {
  const markup = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
      '__',
      '~~',
      '`',
      '``',
      '```',
      '\n',
      '\n\n',
      '[',
      ']',
      '](',
      '(',
      ')',
      '<',
      '>',
      '> ',
      '# ',
      '- ',
      '|',
    ],
    ...[
      '|-|',
      '\\',
      '!',
      '![',
      ' ',
      'a',
      'https://x.org',
      '](https://x.org)',
      '🦜',
      '\ud83e',
      '中',
      '1. ',
      '<think>\n',
      '\n</think>',
    ],
  );
  const anyMarkdown = fc.oneof(
    fc.array(markup, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string(),
  );

  it('formatting stays inside, and crosses nothing', () => {
    fc.assert(
      fc.property(anyMarkdown, (markdown) => {
        const { text, entities } = formatMarkdown(markdown);
        for (const [index, { type, offset, length }] of entities.entries()) {
          expect(offset >= 0 && length > 0 && offset + length <= text.length).toBe(true);
          for (const other of entities.slice(index + 1)) {
            const apart = other.offset >= offset + length || other.offset + other.length <= offset;
            const inside = other.offset >= offset && other.offset + other.length <= offset + length;
            const around = offset >= other.offset && offset + length <= other.offset + other.length;
            expect(apart || inside || around).toBe(true);
            if (type === 'code' || type === 'pre') expect(apart).toBe(true);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('no letter is lost', () => {
    const letters = (text: string) => text.replace(/[^a🦜中]/gu, '');
    const withoutTargets = fc
      .array(markup, { maxLength: 60 })
      .map((parts) => parts.join('').replaceAll('https://x.org', 'a'));
    fc.assert(
      fc.property(withoutTargets, (markdown) => {
        // The name of a language and the target of a link are not part of the text.
        fc.pre(!/```|~~~|\]\(/.test(markdown));
        expect(letters(formatMarkdown(markdown).text)).toBe(letters(markdown));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '*a_ ',
    '[',
    '> ',
    '`',
    '<',
    '*a',
    '[a](<b',
    '|a',
    '![[]()',
    '- ',
    '](]()',
    '[`a` **b** ',
    '**a `b` ',
    '# a #',
    '\\',
    '~~~ `',
    '\n|-|\n|',
  ])('it takes no time: %j', (part) => {
    const markdown = part.repeat(Math.floor(100_000 / part.length));
    const start = performance.now();
    formatMarkdown(markdown);
    // A machine under load takes its time; what is not linear takes minutes.
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('a giant one is shown as it is', () => {
    const giant = '**a** '.repeat(20_000);
    expect(formatMarkdown(giant)).toEqual({ text: giant, entities: [] });
  });
});
