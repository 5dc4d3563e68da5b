import { expect, test } from 'vitest';
import { markdownText } from './markdown-text.ts';

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
