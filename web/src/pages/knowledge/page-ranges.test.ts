import { expect, test } from 'vitest';
import { rangesOf } from './page-ranges.ts';

test.each([
  [[], ''],
  [[4], '4'],
  [[1, 2, 3, 7], '1–3, 7'],
  [[2, 4, 5, 9, 10, 11], '2, 4–5, 9–11'],
])('%j as %j', (numbers, text) => {
  expect(rangesOf(numbers)).toBe(text);
});
