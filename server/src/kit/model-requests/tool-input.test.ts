import { expect, it } from 'vitest';
import { parseToolInput } from './tool-input.ts';

it.each<[string, unknown]>([
  ['{"query": "x"}', { query: 'x' }],
  ['{"a":{"b":[1,null]},"c":"L\\u00f6we 🦁"}', { a: { b: [1, null] }, c: 'Löwe 🦁' }],
  ['', {}],
  [' \n', {}],
  ['"text"', 'text'],
  ['null', null],
  ['{"constructor": "x", "prototype": {}}', { constructor: 'x', prototype: {} }],
])('%j is read', (text, value) => {
  expect(parseToolInput(text, true)).toEqual({ value, isValid: true });
});

it.each([
  '{"query": "x',
  'query=x',
  '{"query": "x"} and more',
  '{"__proto__": {"isAdmin": true}}',
  '{"a": [{"\\u005f_proto__": 1}]}',
  '{"constructor": {"prototype": {}}}',
  `${'['.repeat(100_000)}`,
])('%.40j is passed on as it is', (text) => {
  expect(parseToolInput(text, true)).toEqual({ value: text, isValid: false });
});

it('arguments of an unknown tool are not valid, whatever they are', () => {
  expect(parseToolInput('{"a":1}', false)).toEqual({ value: { a: 1 }, isValid: false });
  expect(parseToolInput('', false)).toEqual({ value: '', isValid: false });
});
