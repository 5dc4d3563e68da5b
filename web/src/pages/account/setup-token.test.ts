import { expect, it } from 'vitest';
import { setupTokenIn } from './setup-token.ts';

it.each([
  ['http://127.0.0.1:5300/set-up#token=abc_DEF-123', 'abc_DEF-123'],
  ['https://bots.example.com/parley/set-up#token=a%20b%2Bc%23%26d', 'a b+c#&d'],
  ['  abc_DEF-123\n', 'abc_DEF-123'],
  ['token=abc', 'abc'],
  ['a#b of the operator', 'a#b of the operator'],
  ['', ''],
])('finds the token in %j', (entered, token) => {
  expect(setupTokenIn(entered)).toBe(token);
});
