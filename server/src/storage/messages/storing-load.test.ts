import { expect, it } from 'vitest';
import { StoringLoad } from './storing-load.ts';

it('refuses what arrives while too much waits, and nothing else', async () => {
  const load = new StoringLoad();
  const stored = Promise.withResolvers<string>();
  const wait = (arrives: boolean, characters = 40_000_000) => load.during(characters, arrives, () => stored.promise);
  const first = wait(true);
  await expect(wait(true)).rejects.toMatchObject({ name: 'StorageError', detail: 'overloaded' });
  const [small, other] = [wait(true, 1000), wait(false)];
  stored.resolve('stored');
  expect(await Promise.all([first, small, other])).toEqual(['stored', 'stored', 'stored']);
  expect(await wait(true)).toBe('stored');
});

it('accepts a single operation of any size, and forgets what failed', async () => {
  const load = new StoringLoad();
  const failing = () => load.during(1e9, true, () => Promise.reject(new Error('not stored')));
  await expect(failing()).rejects.toThrow('not stored');
  await expect(failing()).rejects.toThrow('not stored');
});
