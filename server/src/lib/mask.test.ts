import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isMasked, mask } from './mask.ts';

it.each([
  ['', ''],
  ['short', '…'],
  ['exactly15chars!', '…'],
  ['exactly16 chars!', 'exa…ars!'],
  ['sk-0123456789abcdefwxyz', 'sk-…wxyz'],
])('shows %j as %j', (secret, shown) => {
  expect(mask(secret)).toBe(shown);
});

it('keeps at least nine characters secret, and is known as a mask', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (secret) => {
      const shown = mask(secret);
      expect(isMasked(shown)).toBe(true);
      if (shown !== '…') expect(secret.length - (shown.length - 1)).toBeGreaterThanOrEqual(9);
    }),
  );
  expect(isMasked('sk-0123456789abcdefwxyz')).toBe(false);
});
