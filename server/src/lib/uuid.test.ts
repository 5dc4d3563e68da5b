import { expect, it } from 'vitest';
import { firstUuidOf, isUuid, newUuid } from './uuid.ts';

it('gives ids that sort in the order they are made', () => {
  const before = Date.now();
  const ids = Array.from({ length: 500 }, newUuid);
  expect(new Set(ids).size).toBe(500);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) {
    expect(isUuid(id)).toBe(true);
    expect(id >= firstUuidOf(before)).toBe(true);
    expect(id < firstUuidOf(Date.now() + 1)).toBe(true);
  }
});

it('returns the least id of a timestamp', () => {
  expect(firstUuidOf(0)).toBe('00000000-0000-7000-8000-000000000000');
  expect(firstUuidOf(0x0123456789ab + 0.9)).toBe('01234567-89ab-7000-8000-000000000000');
  expect(firstUuidOf(-1)).toBe(firstUuidOf(0));
  expect(firstUuidOf(Number.MAX_SAFE_INTEGER)).toBe('ffffffff-ffff-7000-8000-000000000000');
});
