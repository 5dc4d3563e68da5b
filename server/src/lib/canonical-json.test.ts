import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

/** The same value, the fields of its objects the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([field, inner]) => [field, reversed(inner)]),
  );
}

describe('the canonical text of a value', () => {
  it('is the same whatever the order of fields, and says the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [{}, []],
    [null, {}],
    ['', null],
  ])('distinguishes %j from %j', (one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });

  it('exists for undefined, and supports special property names', () => {
    expect(canonicalJson(undefined)).toBe('null');
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}'))).toBe('{"__proto__":{"c":2,"d":1},"b":1}');
  });
});
