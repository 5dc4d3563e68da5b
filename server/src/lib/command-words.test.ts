import { expect, it } from 'vitest';
import { wordsOf } from './command-words.ts';

it.each<[string, string[]]>([
  ['uvx mcp-server-time', ['uvx', 'mcp-server-time']],
  ['  a \t b\n', ['a', 'b']],
  ['', []],
  ['node "a copy" b', ['node', 'a copy', 'b']],
  [`a 'it"s' "it's" x'y z'w`, ['a', 'it"s', "it's", 'xy zw']],
  [`a '' ""`, ['a', '', '']],
  ['C:\\x\\y $HOME `a` *', ['C:\\x\\y', '$HOME', '`a`', '*']],
])('%j is %j', (line, words) => {
  expect(wordsOf(line)?.map(({ text }) => text)).toEqual(words);
});

it.each([`a 'b`, 'a "', `"'`])('%j is not closed', (line) => {
  expect(wordsOf(line)).toBeNull();
});

it('distinguishes a quoted star from an unquoted one', () => {
  expect(wordsOf(`a * '*'`)?.map(({ isQuoted }) => isQuoted)).toEqual([false, false, true]);
});
