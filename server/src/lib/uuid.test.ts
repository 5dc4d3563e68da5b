import { afterEach, expect, it, vi } from 'vitest';
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

afterEach(() => {
  vi.useRealTimers();
});

it('gives ids in order when a millisecond has more than it can count, and when the clock is set back', () => {
  // Later than whatever was made before.
  const present = Date.UTC(2999, 0, 1);
  vi.useFakeTimers({ now: present });
  const ids = Array.from({ length: 10_000 }, newUuid);
  vi.setSystemTime(present - 60_000);
  ids.push(...Array.from({ length: 10_000 }, newUuid));
  vi.setSystemTime(present + 60_000);
  ids.push(newUuid());
  expect(ids.every(isUuid)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids[0]?.slice(0, 13)).toBe(firstUuidOf(present).slice(0, 13));
  expect(ids.at(-1)?.slice(0, 13)).toBe(firstUuidOf(present + 60_000).slice(0, 13));
  for (const id of ids) expect(id).toMatch(/^.{14}7.{4}[89ab]/);
});

it('returns the least id of a timestamp', () => {
  expect(firstUuidOf(0)).toBe('00000000-0000-7000-8000-000000000000');
  expect(firstUuidOf(0x0123456789ab + 0.9)).toBe('01234567-89ab-7000-8000-000000000000');
  expect(firstUuidOf(-1)).toBe(firstUuidOf(0));
  expect(firstUuidOf(Number.MAX_SAFE_INTEGER)).toBe('ffffffff-ffff-7000-8000-000000000000');
});
