import { expect, test } from 'vitest';
import { withMath } from './math-text.ts';

test.each([
  ['\\(a^2\\) is a square', '$$a^2$$ is a square'],
  ['So $x$ and $y_1 + 2$.', 'So $$x$$ and $$y_1 + 2$$.'],
  ['\\[\n\\int_0^1 x\\,dx\n\\]', '\n$$\n\\int_0^1 x\\,dx\n$$\n'],
  ['$$\ne = mc^2\n$$', '$$\ne = mc^2\n$$'],
])('finds math: %s', (markdown, expected) => {
  expect(withMath(markdown)).toBe(expected);
});

test.each([
  'It costs $5 and $10.',
  'From $5 to $10, or US$20 and $30',
  'a `$x$` b',
  '```sh\necho $HOME $PATH$ \\(x\\)\n```',
  '```\n$$ open $$',
  'escaped \\$x$',
  'nothing',
  '$',
  '$$',
])('leaves what is none: %s', (markdown) => {
  expect(withMath(markdown)).toBeNull();
});

test('takes no long time for hostile text', () => {
  const begun = performance.now();
  for (const text of ['$'.repeat(50_000), '\\['.repeat(50_000), '$a'.repeat(50_000), '`'.repeat(50_000)])
    withMath(text);
  expect(performance.now() - begun).toBeLessThan(2000);
});
