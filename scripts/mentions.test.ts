import { expect, it } from 'vitest';
import { mentions } from './mentions.ts';

const file = 'scripts/mentions.test.ts';

it.each(['GET /bots/{bot_uuid}', 'output.misc.at', "'output.misc.at'"])('a file mentions %s', (name) => {
  expect(mentions(file, name)).toBe(true);
});

it.each([
  ['GET', '/bots'].join(' '),
  ['output', 'misc'].join('.'),
  ['output', 'misc', 'a'].join('.'),
  ['no', 'such', 'name'].join('-'),
])('a file that holds only longer names does not mention %s', (name) => {
  expect(mentions(file, name)).toBe(false);
});

it('a file that is not there is an error', () => {
  expect(() => mentions('scripts/nothing.test.ts', 'x')).toThrow('ENOENT');
});
