import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countDifferences, wordsFor, writeSignCode } from './sign-codes.ts';

test('codes differ in as many bits as signs differ', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }).chain((dimensions) => {
        const vector = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), {
          minLength: dimensions,
          maxLength: dimensions,
        });
        return fc.tuple(vector, fc.array(vector, { minLength: 1, maxLength: 5 }), vector);
      }),
      ([wanted, others, centre]) => {
        const middle = Float32Array.from(centre);
        const words = wordsFor(wanted.length);
        const code = new Int32Array(words);
        // What stood there before does not matter.
        const codes = new Int32Array(words * others.length).fill(-1);
        writeSignCode(Float32Array.from(wanted), middle, code, 0);
        for (const [index, other] of others.entries())
          writeSignCode(Float32Array.from(other), middle, codes, index * words);
        const distances = new Uint16Array(others.length);
        countDifferences(codes, code, others.length, distances);
        expect([...distances]).toEqual(
          others.map((other) => {
            const signs = (values: number[]) => values.map((value, index) => value > (centre[index] ?? 0));
            return signs(other).filter((sign, index) => sign !== signs(wanted)[index]).length;
          }),
        );
      },
    ),
  );
});

test('all bits of the longest vectors may differ', () => {
  const words = wordsFor(4096);
  const distances = new Uint16Array(1);
  countDifferences(new Int32Array(words), new Int32Array(words).fill(-1), 1, distances);
  expect(distances[0]).toBe(words * 32);
});
