import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeSecretKey } from './decode-secret-key.ts';

test('reads 32 bytes from hexadecimal and from base64 with or without padding', () => {
  const key = randomBytes(32);
  expect(decodeSecretKey(key.toString('hex'))).toEqual(key);
  expect(decodeSecretKey(key.toString('hex').toUpperCase())).toEqual(key);
  expect(decodeSecretKey(key.toString('base64'))).toEqual(key);
  expect(decodeSecretKey(key.toString('base64').replace('=', ''))).toEqual(key);
});

test.each([16, 31, 33, 64])('refuses %i bytes', (length) => {
  const key = randomBytes(length);
  expect(decodeSecretKey(key.toString('hex'))).toBeNull();
  expect(decodeSecretKey(key.toString('base64'))).toBeNull();
});

test('refuses other text', () => {
  for (const text of ['', ' ', 'password', `${'a'.repeat(63)}g`, `${'a'.repeat(64)}\n`, '='.repeat(44)]) {
    expect(decodeSecretKey(text)).toBeNull();
  }
});
