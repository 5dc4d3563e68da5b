import { expect, test } from 'vitest';
import { markdownPreview, markdownText } from './markdown-text.ts';

test('leaves out the marks of Markdown', () => {
  const markdown = [
    '# **Orion** plans',
    '',
    'Choose [one](https://example.org) of `these`:',
    '',
    '| Plan | Price |',
    '|---|---|',
    '| *small* | 5 |',
    '',
    '- first',
    '- second',
    '  - nested',
    '',
    '```js',
    'const a = 1;',
    '```',
  ].join('\n');
  expect(markdownText(markdown)).toBe(
    'Orion plans\nChoose one of these:\nPlan, Price\nsmall, 5\nfirst\nsecond\nnested\nconst a = 1;',
  );
  expect(markdownText('')).toBe('');
});

test('previews Markdown in one line, without marks', () => {
  const text = '**orion-large**\n\n| Plan | Price |\n|---|---|\n| Small | 1 |\n\n- first\n- `second`';
  expect(markdownPreview(text, 300)).toBe('orion-large Plan, Price Small, 1 first second');
  expect(markdownPreview('word '.repeat(1000), 12)).toBe('word word wo');
});
