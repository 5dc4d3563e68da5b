import { beforeAll, describe, expect, it } from 'vitest';
import { loadMarkdownReader } from '../../kit/markdown/markdown-reader.ts';
import { createFormat, type Format } from './markdown.ts';

let format: Format;
beforeAll(async () => {
  format = createFormat(await loadMarkdownReader(['http', 'https', 'mailto']));
});

const cases: [string, string, string][] = [
  [
    'what Discord shows by itself stays',
    '# A\n\n**b** *c* ~~d~~ ||e||\n- f\n  - g\n> h\n`i`',
    '# A\n\n**b** *c* ~~d~~ ||e||\n- f\n  - g\n> h\n`i`',
  ],
  ['a table is aligned', '| a | bb |\n|---|---|\n| ccc | `d` |', '```\na   | bb\n----+---\nccc | d\n```'],
  [
    'a table between texts',
    'Before\n\n|a|b|\n|-|-|\n|1|2|\n\nAfter',
    'Before\n\n```\na | b\n--+--\n1 | 2\n```\n\nAfter',
  ],
  ['a table with more cells than its head stays', '|a|\n|-|\n|1|2|', '```\n|a|\n|-|\n|1|2|\n```'],
  ['a fence in a table', '|a|b|\n|-|-|\n|1|x ```y|', '```\na | b\n--+-------\n1 | x `\u200b``y\n```'],
  ['headings of lower levels', '#### A\n##### B', '### A\n### B'],
  ['a rule', 'a\n\n---\n\nb', 'a\n\n──────────\n\nb'],
  ['an image', 'See ![a cat](https://a.example/c.png)', 'See [a cat](https://a.example/c.png)'],
  ['an image without a name', '![](https://a.example/c.png)', 'https://a.example/c.png'],
  ['code that looks like an image', '`![a](https://a.example)`', '`![a](https://a.example)`'],
  ['thoughts', '<think>\nHm\nso\n</think>\n\nAnswer', '> Hm\n> so\n\nAnswer'],
  ['thoughts that are not complete', '<think>\nHm', '> Hm'],
  [
    'code with everything in it',
    '```\n| a | b |\n|---|---|\n#### c\n---\n```',
    '```\n| a | b |\n|---|---|\n#### c\n---\n```',
  ],
  ['an incomplete table', '| a | b |\n|--', '| a | b |\n|--'],
];

describe('Markdown', () => {
  it.each(cases)('%s', (_, markdown, expected) => {
    expect(format(markdown)).toBe(expected);
    expect(format(expected), 'the same once more').toBe(expected);
  });

  it('of any length is shown', () => {
    const long = '| a | b |\n|---|---|\n'.repeat(20_000);
    expect(format(long)).toBe(long);
  });
});
