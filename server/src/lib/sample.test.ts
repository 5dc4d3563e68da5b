import { expect, it } from 'vitest';
import { sampleOf } from './sample.ts';

it('shows short lists completely, and the start of others', () => {
  expect(sampleOf([])).toEqual([]);
  expect(sampleOf(['a', 'b'])).toEqual(['a', 'b']);
  expect(sampleOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual(['a', 'b', 'c', 'd', 'e', '… 2 more']);
  expect(sampleOf(['a'.repeat(80), 'a'.repeat(81)])).toEqual(['a'.repeat(80), `${'a'.repeat(80)}…`]);
});
