import { expect, it } from 'vitest';
import { ProcessingLimit } from './processing-limit.ts';

/** A limit, and a clock that storing moves. */
function limitOf(most: number) {
  let now = 0;
  const limit = new ProcessingLimit(most, () => now);
  const store = (milliseconds: number) =>
    limit.storing(async () => {
      now += milliseconds;
    });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  /** There is more to process than the limit allows, for so long. */
  const useUp = (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 10) {
      pass(10);
      limit.noteUsedUp();
    }
  };
  return { limit, store, pass, useUp };
}

it('is the most at first, and rises to it again while messages are stored quickly', async () => {
  const { limit, store, useUp } = limitOf(200);
  await store(5);
  expect([limit.value, limit.isReduced]).toEqual([200, false]);
  for (let index = 0; index < 3; index += 1) await store(200);
  expect([limit.value, limit.isReduced]).toEqual([102, true]);
  await store(5);
  useUp(500);
  expect(limit.value).toBeGreaterThan(120);
  useUp(2000);
  expect([limit.value, limit.isReduced]).toEqual([200, false]);
});

it('does not rise while less is processed than it allows', async () => {
  const { limit, store, pass } = limitOf(200);
  await store(5);
  for (let index = 0; index < 3; index += 1) await store(200);
  for (let index = 0; index < 100; index += 1) {
    await store(5);
    pass(50);
  }
  expect(limit.value).toBe(102);
});

it('falls while storing takes long, but not below the least, and rises again', async () => {
  const { limit, store, useUp } = limitOf(200);
  await store(5);
  for (let index = 0; index < 3; index += 1) await store(200);
  expect(limit.value).toBe(102);
  for (let index = 0; index < 30; index += 1) await store(200);
  expect(limit.value).toBe(8);
  useUp(1000);
  expect(limit.value).toBeGreaterThan(80);
});

it('is cut once for messages that were late together', async () => {
  const { limit, store } = limitOf(200);
  await store(5);
  await Promise.all(Array.from({ length: 20 }, () => store(16)));
  expect(limit.value).toBeGreaterThanOrEqual(102);
});

it('expects no more of a slow database than it does when there is little to do', async () => {
  const { limit, store } = limitOf(200);
  await store(40);
  for (let index = 0; index < 20; index += 1) await store(230);
  expect(limit.value).toBe(200);
  for (let index = 0; index < 60; index += 1) await store(250);
  expect(limit.value).toBe(8);
});

it('counts nothing that could not be stored', async () => {
  const { limit, pass } = limitOf(200);
  const failing = limit.storing(async () => {
    pass(10_000);
    throw new Error('The database is gone');
  });
  await expect(failing).rejects.toThrow('gone');
  expect(limit.value).toBe(200);
});

it('stays within a setting below the least', async () => {
  const { limit, store, useUp } = limitOf(2);
  await store(1);
  useUp(100);
  expect(limit.value).toBe(2);
  await store(1000);
  expect(limit.value).toBe(2);
});
