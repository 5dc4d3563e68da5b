import assert from 'node:assert/strict';
import test from 'node:test';
import { convert } from '../units.ts';

test('converts lengths, masses and temperatures', () => {
  assert.equal(convert(5, 'km', 'mi', 4), '5 km = 3.107 mi');
  assert.equal(convert(1, 'lb', 'g', 6), '1 lb = 453.592 g');
  assert.equal(convert(-40, 'c', 'f', 6), '-40 c = -40 f');
});

test('says what is wrong', () => {
  assert.throws(() => convert(1, 'km', 'kg', 6), { message: 'km is a length and kg a mass.' });
  assert.throws(() => convert(1, 'parsec', 'm', 6), /There is no unit parsec/);
});
