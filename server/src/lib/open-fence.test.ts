import { expect, it } from 'vitest';
import { openFence } from './open-fence.ts';

it.each([
  ['', null],
  ['plain', null],
  ['```js\nlet a', '```'],
  ['```js\nlet a\n```', null],
  ['```js\r\nlet a\r\n```\r\n', null],
  ['````\n```\nstill', '````'],
  ['```\n````', null],
  ['~~~ text `a`\nb', '~~~'],
  ['```a`b', null],
  ['   ```\na', '```'],
  ['    ```\na', null],
  ['```\na\n``` no\nb', '```'],
  ['```\na\n```\n~~~\nb', '~~~'],
])('%j leaves %j open', (text, expected) => {
  expect(openFence(text)).toBe(expected);
});
