import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../lib/uuid.ts';
import { DiskBlobStore } from './disk-blob-store.ts';

describe('blobs on disk', () => {
  let directory: string;
  let blobs: DiskBlobStore;
  beforeEach(async () => {
    directory = join(mkdtempSync(join(tmpdir(), 'parley-blobs-')), 'files');
    blobs = await DiskBlobStore.open(directory);
  });
  afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

  const files = () =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  const contentOf = async (key: string) => buffer(blobs.read(key));
  async function* chunks(...parts: (Buffer | Error)[]) {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield part;
    }
  }

  it.each([
    ['nothing', []],
    ['one byte', [Buffer.from('a')]],
    ['many chunks', Array.from({ length: 20 }, () => randomBytes(60_000))],
    ['single bytes', Array.from({ length: 5000 }, () => randomBytes(1))],
    ['chunks of about a piece', [262_143, 2, 262_144, 0, 1_000_001].map((size) => randomBytes(size))],
  ])('stores %s with size, checksum and leading bytes', async (_, parts) => {
    const key = newUuid();
    const whole = Buffer.concat(parts);
    expect(await blobs.write(key, chunks(...parts))).toEqual({
      size: whole.length,
      sha256: createHash('sha256').update(whole).digest('hex'),
      head: whole.subarray(0, 4100),
    });
    expect(await contentOf(key)).toEqual(whole);
    expect(files()).toEqual([key]);
  });

  it('reads a chunk only after the previous one was written, so that memory stays flat', async () => {
    let pending = 0;
    let most = 0;
    async function* counted() {
      for (let index = 0; index < 50; index += 1) {
        pending += 1;
        most = Math.max(most, pending);
        yield randomBytes(100_000);
        pending -= 1;
      }
    }
    await blobs.write(newUuid(), counted());
    expect(most).toBe(1);
  });

  it('writes the rest when the system takes less at once', async () => {
    const probe = await open(tmpdir(), 'r');
    const prototype = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const attempts = vi.spyOn(prototype, 'writev').mockImplementation(async function (this: FileHandle, buffers) {
      const whole = Buffer.concat(buffers as Uint8Array[]);
      const { bytesWritten } = await this.write(whole, 0, Math.min(whole.length, 70_000));
      return { bytesWritten, buffers };
    });
    const key = newUuid();
    const parts = Array.from({ length: 11 }, () => randomBytes(60_000));
    await blobs.write(key, chunks(...parts)).finally(() => attempts.mockRestore());
    expect(await contentOf(key)).toEqual(Buffer.concat(parts));
  });

  it('is readable by the owner only', async () => {
    const key = newUuid();
    await blobs.write(key, chunks(Buffer.from('secret')));
    const folder = join(directory, key.slice(-2));
    expect(statSync(join(folder, key)).mode & 0o777).toBe(0o600);
    for (const path of [directory, folder]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('leaves nothing behind when the content fails', async () => {
    const failure = new Error('cut');
    await expect(blobs.write(newUuid(), chunks(randomBytes(100_000), failure))).rejects.toBe(failure);
    expect(files()).toEqual([]);
  });

  it('does not overwrite a write in progress under the same key', async () => {
    const key = newUuid();
    const gate = Promise.withResolvers<void>();
    async function* slow() {
      yield Buffer.from('first');
      await gate.promise;
    }
    const first = blobs.write(key, slow());
    await expect.poll(files).toEqual([`${key}.part`]);
    await expect(blobs.write(key, chunks(Buffer.from('second')))).rejects.toThrow();
    gate.resolve();
    await first;
    expect((await contentOf(key)).toString()).toBe('first');
  });

  it('deletes, including missing blobs', async () => {
    const key = newUuid();
    await blobs.write(key, chunks(Buffer.from('a')));
    await blobs.delete(key);
    await blobs.delete(key);
    expect(files()).toEqual([]);
    await expect(contentOf(key)).rejects.toThrow('ENOENT');
  });

  it('removes only the files of interrupted writes', async () => {
    const key = newUuid();
    await blobs.write(key, chunks(Buffer.from('a')));
    writeFileSync(join(directory, `${newUuid()}.part`), 'half');
    const opened = await DiskBlobStore.open(directory);
    expect(files()).toEqual([key]);
    expect(await buffer(opened.read(key))).toEqual(Buffer.from('a'));
  });

  it.each(['../../etc/passwd', '', 'a', `${newUuid()}/..`])('takes no key that could be a path: %j', async (key) => {
    await expect(blobs.write(key, chunks(Buffer.from('a')))).rejects.toThrow(RangeError);
    expect(() => blobs.read(key)).toThrow(RangeError);
    await expect(blobs.delete(key)).rejects.toThrow(RangeError);
    expect(files()).toEqual([]);
  });
});
