import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMarkdown } from './markdown.ts';

/** The text, and the range of each kind of formatting. */
async function shown(markdown: string) {
  const { text, entities } = await formatMarkdown(markdown);
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
    ['a link that cannot be opened', '[a](/b) [c](javascript:d)', '[a](/b) [c](javascript:d)'],
    ['an address', '<https://x.org/a_b_c> https://x.org/d_e_f', 'https://x.org/a_b_c https://x.org/d_e_f'],
    ['a bold address', '**https://x.org**', 'https://x.org', ['bold', 'https://x.org']],
    ['a heading', '# a `b` **c** #\nd', 'a b c\nd', ['bold', 'a '], ['code', 'b'], ['bold', ' c']],
    ['a list', '- a\n* **b**\n  + c\n1. d', '• a\n• b\n  • c\n1. d', ['bold', 'b']],
    ['a list of tasks', '- [ ] a\n- [x] b', '☐ a\n☑ b'],
    ['a quotation', '> a\n> > **b**\n\nc', 'a\nb\n\nc', ['blockquote', 'a\nb'], ['bold', 'b']],
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
      '| a | b |\n|---|:-:|\n| 中文 | **2** |\n\nc',
      'a    | b\n-----+--\n中文 | 2\n\nc',
      ['pre', 'a    | b\n-----+--\n中文 | 2'],
    ],
    [
      'a table with a row that is too long, as it was written',
      '|a|\n|-|\n|b|c|\n',
      '|a|\n|-|\n|b|c|\n',
      ['pre', '|a|\n|-|\n|b|c|'],
    ],
    [
      'emphasis around Chinese punctuation',
      '**重点：**说明**“引用”**',
      '重点：说明“引用”',
      ['bold', '重点：'],
      ['bold', '“引用”'],
    ],
    ['marks inside an address', 'https://x.org/__a__/*b* *c*', 'https://x.org/__a__/*b* c', ['italic', 'c']],
    ['styles in a link', '[**a** `b`](https://x.org)', 'a b', ['text_link', 'a b'], ['bold', 'a']],
    ['a list in a list', '1. a\n   b\n\n   c\n   - d\n2. e', '1. a\n  b\n\n  c\n  • d\n2. e'],
    ['an item without words', '-\n- a', '• \n• a'],
    ['a quotation in an item', '- > a\n- b', '• a\n• b', ['blockquote', 'a']],
    ['bold in a bold heading', '# **a** b', 'a b', ['bold', 'a b']],
    ['emphasis of emoji', '*🦜 a* **🦜**', '🦜 a 🦜', ['italic', '🦜 a'], ['bold', '🦜']],
    ['the space around it', '\n a, ', '\n a, '],
    ['lines', 'a\nb\n\nc\r\nd', 'a\nb\n\nc\nd'],
  ])('%s', async (_, markdown, ...expected) => {
    // The rule below a table is as wide as its columns, whatever their letters.
    const [text, ...entities] = await shown(markdown);
    const normal = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/-{3,}\+-+/g, '-----+--'));
    expect(normal([text, ...entities])).toEqual(expected);
  });

  it('a block of code, with its language', async () => {
    const { text, entities } = await formatMarkdown('a\n```js\nlet x = **1**;\n\n```\nb\n~~~\n```\n~~~');
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
    ['#'],
    ['```'],
    ['a\n---b'],
    ['[a]: https://x.org'],
    ['5*，10 *'],
    ['a ** ** b'],
    ['5*'],
  ])('%s as it is written', async (markdown) => {
    expect(await shown(markdown)).toEqual([markdown]);
  });

  it('thoughts with code that does not end, up to where they end', async () => {
    expect(await shown('<think>\n```\na\n</think>\n\nb')).toEqual([
      'a\n\nb',
      ['expandable_blockquote', 'a'],
      ['pre', 'a'],
    ]);
    expect(await shown('- <think>\na')).toEqual(['• <think>\n  a']);
  });

  it.each(['> ', '- ', '1. '])('the source of very deep nesting: %j', async (mark) => {
    const deep = `${mark.repeat(1000)}a`;
    expect(await shown(deep)).toEqual([deep]);
  });

  it('escaped characters as they are', async () => {
    expect(await shown('\\*a\\* \\_ \\a \\')).toEqual(['*a* _ \\a \\']);
  });

  it('the source of unclosed marks, except code', async () => {
    expect(await shown('a **b')).toEqual(['a **b']);
    expect(await shown('a\n```py\nx = 1')).toEqual(['a\nx = 1', ['pre', 'x = 1']]);
  });

  it('emphasis inside a link ends there', async () => {
    expect(await shown('*a [b* c](https://x.org)')).toEqual(['*a b* c', ['text_link', 'b* c']]);
    expect(await shown('[a *b](https://x.org) c*')).toEqual(['a *b c*', ['text_link', 'a *b']]);
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
      '    ',
      '&lt;',
      '<think>\n',
      '\n</think>',
    ],
  );
  const anyMarkdown = fc.oneof(
    fc.array(markup, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string(),
  );

  it('formatting stays inside, and crosses nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anyMarkdown, async (markdown) => {
        const { text, entities } = await formatMarkdown(markdown);
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

  it('no letter is lost', async () => {
    const letters = (text: string) => text.replace(/[^a🦜中]/gu, '');
    const withoutTargets = fc
      .array(markup, { maxLength: 60 })
      .map((parts) => parts.join('').replaceAll('https://x.org', 'a'));
    await fc.assert(
      fc.asyncProperty(withoutTargets, async (markdown) => {
        // The name of a language and the target of a link are not part of the text.
        fc.pre(!/```|~~~|\]\(/.test(markdown));
        expect(letters((await formatMarkdown(markdown)).text)).toBe(letters(markdown));
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
    '![',
    'https://',
    '- a\n  ',
    '<think>\n',
    '***\n',
    '*_~~a',
  ])('it is not too much work, nor too much text: %j', async (part) => {
    const markdown = part.repeat(Math.floor(100_000 / part.length));
    // A longer text would be many messages; nonlinear time would exceed the timeout.
    expect((await formatMarkdown(markdown)).text.length).toBeLessThan(10 * markdown.length);
  });

  it.each([
    ['rows without cells', `${'|a'.repeat(60)}|\n${'|-'.repeat(60)}|\n${'|\n'.repeat(10_000)}`],
    ['rows of short cells', `|${'a'.repeat(190)}|\n|-|\n${'|b\n'.repeat(10_000)}`],
    ['lines in lists', `${'- '.repeat(15)}a\n${'b\n'.repeat(10_000)}`],
    ['styles in styles', `${'**a *b '.repeat(5_000)}${'c* d** '.repeat(5_000)}`],
  ])('%s do not become many messages', async (_, markdown) => {
    expect((await formatMarkdown(markdown)).text.length).toBeLessThan(10 * markdown.length);
  });

  it('a giant one is shown as it is', async () => {
    const giant = '**a** '.repeat(20_000);
    expect(await formatMarkdown(giant)).toEqual({ text: giant, entities: [] });
  });
});
