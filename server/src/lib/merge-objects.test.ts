import { expect, it } from 'vitest';
import { mergeObjects } from './merge-objects.ts';

it('joins objects field by field and replaces everything else', () => {
  const base = { number: 1, list: [1, 2], inner: { flag: true, changed: 'a' }, object: { a: 1 }, text: 'b' };
  const over = {
    list: [3],
    inner: { changed: 'c', added: null },
    object: 'text',
    text: { d: 1 },
    undefined: undefined,
  };
  const before = structuredClone(base);
  expect(mergeObjects(base, over)).toEqual({
    number: 1,
    list: [3],
    inner: { flag: true, changed: 'c', added: null },
    object: 'text',
    text: { d: 1 },
    undefined: undefined,
  });
  expect(base).toEqual(before);
});

it.each(['__proto__', 'constructor', 'toString'])('takes %s for a field like any other', (name) => {
  const merged = mergeObjects({ inner: {} }, JSON.parse(`{"${name}": {"polluted": true}, "inner": {"${name}": 1}}`));
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(Object.keys(merged)).toContain(name);
  expect(Object.getPrototypeOf(merged.inner)).toBe(Object.prototype);
  expect((merged as { polluted?: boolean }).polluted).toBeUndefined();
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
