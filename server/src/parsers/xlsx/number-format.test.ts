import { expect, test } from 'vitest';
import { builtInFormat, formatNumber } from './number-format.ts';

const dates = { from1904: false };

test.each<[number, string, string]>([
  [0.1 + 0.2, '', '0.3'],
  [12, 'General', '12'],
  [1e21, '', '1e+21'],
  [1234.5, '0', '1235'],
  [1234.5, '#,##0.00', '1,234.50'],
  [1234.5, '#,##0.00 "€"', '1,234.50 €'],
  [1234.5, '[$€-407] #,##0.0', '€ 1,234.5'],
  [-5, '#,##0_);(#,##0)', '(5)'],
  [-5, '0.0;[Red]-0.0', '-5.0'],
  [0, '0;-0;"none"', 'none'],
  [0.125, '0.0%', '12.5%'],
  [0.5, '0%', '50%'],
  [1_500_000, '0.0,,"M"', '1.5M'],
  [12_345, '0.00E+00', '1.23E+4'],
  [3.5, '# ?/?', '3.5'],
  [7, '"No. "0', 'No. 7'],
  [5, '0 \\k\\g', '5 kg'],
  [2.5, '0.##', '2.5'],
  [46_142, 'yyyy-mm-dd', '2026-04-30'],
  [46_142, 'd. mmmm yyyy', '2026-04-30'],
  [46_142, 'mmm yy', '2026-04'],
  [46_142, '[$-409]dddd, mmmm dd, yyyy', '2026-04-30'],
  [46_142.604_166_67, 'dd/mm/yyyy hh:mm', '2026-04-30 14:30'],
  [0.75, 'h:mm AM/PM', '18:00'],
  [0.000_347_222, 'mm:ss', '00:00:30'],
  [1.5, '[h]:mm', '36:00'],
  [1, 'yyyy-mm-dd', '1900-01-01'],
  [61, 'yyyy-mm-dd', '1900-03-01'],
  [-1, 'yyyy-mm-dd', '-1'],
  [1e9, 'yyyy-mm-dd', '1000000000'],
])('%d as %s is %s', (value, format, shown) => {
  expect(formatNumber(value, format, dates)).toBe(shown);
});

test('dates may count from 1904', () => {
  expect(formatNumber(0, 'yyyy-mm-dd', { from1904: true })).toBe('1904-01-01');
});

test('formats without a text in the file are known', () => {
  expect([1, 9, 14, 31, 49, 200].map(builtInFormat)).toEqual(['0', '0%', 'yyyy-mm-dd', 'yyyy-mm-dd', '', '']);
});
