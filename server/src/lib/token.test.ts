import { expect, it } from 'vitest';
import { fingerprint, randomToken, sameSecret } from './token.ts';
import { isUuid, newUuid } from './uuid.ts';

it('generates unique tokens of the requested length', () => {
  expect(randomToken(256)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(new Set(Array.from({ length: 1000 }, () => randomToken(128))).size).toBe(1000);
});

it('computes different fingerprints for different texts', () => {
  expect(fingerprint('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(fingerprint('abc')).not.toBe(fingerprint('abd'));
});

it('compares secrets of any length', () => {
  expect(sameSecret('secret', 'secret')).toBe(true);
  expect(sameSecret('secret', 'Secret')).toBe(false);
  expect(sameSecret('secret', '')).toBe(false);
});

it('makes identifiers that sort by time, and knows them', () => {
  const made = Array.from({ length: 1000 }, newUuid);
  expect(made.every(isUuid)).toBe(true);
  expect(made.every((uuid) => uuid === uuid.toLowerCase() && uuid[14] === '7')).toBe(true);
  expect(new Set(made).size).toBe(1000);
  expect(newUuid() > (made[0] as string)).toBe(true);
  for (const other of ['', 'a', `${newUuid()} `, `{${newUuid()}}`, newUuid().replaceAll('-', '')]) {
    expect(isUuid(other)).toBe(false);
  }
});
