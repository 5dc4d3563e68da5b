import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DiskImageCache } from './disk-image-cache.ts';

const day = 24 * 3600;
let folder: string;
let cache: DiskImageCache;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'parley-images-')), 'cache', 'images');
  cache = new DiskImageCache(folder, { capacity: 250 });
});
afterEach(() => rmSync(join(folder, '..', '..'), { recursive: true, force: true }));

/** Backdates an image by seconds. */
function age(key: string, seconds: number): void {
  const timestamp = Date.now() / 1000 - seconds;
  utimesSync(join(folder, key), timestamp, timestamp);
}

it('stores images readable by the owner only', async () => {
  expect(await cache.read('a')).toBeNull();
  expect(await cache.prune()).toBe(0);
  await cache.write('a', Buffer.from('one'));
  await cache.write('a', Buffer.from('two'));
  expect(Buffer.from((await cache.read('a')) ?? []).toString()).toBe('two');
  expect(readdirSync(folder)).toEqual(['a']);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'a')).mode & 0o777]).toEqual([0o700, 0o600]);
});

it('returns an image for a day, and then removes it', async () => {
  await cache.write('a', Buffer.from('one'));
  age('a', day - 60);
  expect(await cache.read('a')).not.toBeNull();
  expect(await cache.prune()).toBe(0);
  age('a', day + 1);
  expect(await cache.read('a')).toBeNull();
  expect(await cache.prune()).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

it('keeps images until they expire', async () => {
  const longer = new DiskImageCache(folder, { lifetimeMs: 3 * day * 1000 });
  await longer.write('a', Buffer.from('one'));
  age('a', 2 * day);
  expect(await longer.read('a')).not.toBeNull();
  age('a', 4 * day);
  expect(await longer.read('a')).toBeNull();
});

it('removes all images whose key starts alike', async () => {
  await cache.removeAll('a');
  for (const key of ['a-1', 'a-2', 'b-a']) await cache.write(key, Buffer.from(key));
  await cache.removeAll('a');
  expect(readdirSync(folder)).toEqual(['b-a']);
});

it('removes the oldest images when they take too much', async () => {
  for (const [index, key] of ['a', 'b', 'c'].entries()) {
    await cache.write(key, Buffer.alloc(100));
    age(key, 10 - index);
  }
  await cache.prune();
  expect(readdirSync(folder).sort()).toEqual(['b', 'c']);
});
