import assert from 'node:assert/strict';
import test from 'node:test';
import { passagesIn } from '../service.ts';

test('takes passages, and nothing else', () => {
  const passage = { id: '1', document: 'd', text: 'A text', score: 2 };
  assert.deepEqual(passagesIn({ passages: [passage] }), [passage]);
  for (const answer of [null, {}, { passages: [{ ...passage, score: 'high' }] }]) {
    assert.throws(() => passagesIn(answer), { reason: 'provider_failed' });
  }
});
