import assert from 'node:assert/strict';
import test from 'node:test';
import { masked, wordsIn } from '../words.ts';

test('finds words in any case, wherever they stand', () => {
  assert.deepEqual(wordsIn('What a GRUMPY bear', ['grumpy', 'sad']), ['grumpy']);
  assert.deepEqual(wordsIn('Nothing', ['grumpy']), []);
});

test('masks words and leaves the rest', () => {
  const chain = [{ type: 'Plain' as const, text: 'Grumpy, grumpy bear' }, { type: 'AtAll' as const }];
  assert.deepEqual(masked(chain, ['grumpy']), [{ type: 'Plain', text: '******, ****** bear' }, { type: 'AtAll' }]);
});
