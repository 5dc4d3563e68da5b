import { expect, it } from 'vitest';
import { priceOf } from './price-of.ts';

it('takes prices as they are typed, and nothing else', () => {
  expect(['0', ' 2.5 ', '2,5', '.15', '10.'].map(priceOf)).toEqual([0, 2.5, 2.5, 0.15, 10]);
  expect(['', '-1', '1e3', 'ten', '1.2.3', '1,000.50', 'Infinity'].map(priceOf)).toEqual(Array(7).fill(null));
});
