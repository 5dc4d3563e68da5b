import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blobStoreContract } from '../../../test/stores/blob-store-contract.ts';
import { newUuid } from '../../lib/uuid.ts';
import { DiskBlobStore } from './disk-blob-store.ts';

blobStoreContract('A folder', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-blobs-'));
  return {
    open: () => DiskBlobStore.open(directory),
    names: async () =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  };
});

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
  const contentOf = async (key: string, size: number) => buffer(blobs.read(key, size));
  async function* chunks(...parts: Buffer[]) {
    yield* parts;
  }

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
    expect(await contentOf(key, 11 * 60_000)).toEqual(Buffer.concat(parts));
  });

  it('is on disk once it is written: the file, and the folders that name it', async () => {
    const probe = await open(tmpdir(), 'r');
    const synced = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'sync');
    await probe.close();
    try {
      await blobs.write(newUuid(), chunks(Buffer.from('a')));
      expect(synced).toHaveBeenCalledTimes(3);
    } finally {
      synced.mockRestore();
    }
  });

  it('is readable by the owner only', async () => {
    const key = newUuid();
    await blobs.write(key, chunks(Buffer.from('secret')));
    const folder = join(directory, key.slice(-2));
    expect(statSync(join(folder, key)).mode & 0o777).toBe(0o600);
    for (const path of [directory, folder]) expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('does not overwrite a write in progress under the same key', async () => {
    const key = newUuid();
    const gate = Promise.withResolvers<void>();
    async function* slow() {
      yield Buffer.from('first');
      await gate.promise;
    }
    const first = blobs.write(key, slow());
    await expect.poll(files).toEqual([expect.stringMatching(`^${key}.*part$`)]);
    await expect(blobs.write(key, chunks(Buffer.from('second')))).rejects.toThrow();
    gate.resolve();
    await first;
    expect((await contentOf(key, 5)).toString()).toBe('first');
  });

  it('removes only the files of interrupted writes', async () => {
    const key = newUuid();
    await blobs.write(key, chunks(Buffer.from('a')));
    const [living, dead] = [newUuid(), newUuid()];
    const part = (writer: string) => `${newUuid()}.${writer}.part`;
    const [theirs, left, former] = [part(living), part(dead), `${newUuid()}.part`];
    for (const name of [theirs, left, former]) writeFileSync(join(directory, name), 'half');
    const writers = { claimant: { id: newUuid() }, living: async () => new Set([living]) };
    const opened = await DiskBlobStore.open(directory, writers);
    expect(files().sort()).toEqual([key, theirs].sort());
    expect(await buffer(opened.read(key, 1))).toEqual(Buffer.from('a'));
    await DiskBlobStore.open(directory);
    expect(files()).toEqual([key]);
  });

  it('does not disturb what another replica is writing', async () => {
    const claimant = { id: newUuid() };
    const other = await DiskBlobStore.open(directory, { claimant, living: async () => new Set() });
    const key = newUuid();
    const gate = Promise.withResolvers<void>();
    async function* slow() {
      yield Buffer.from('first');
      await gate.promise;
    }
    const writing = other.write(key, slow());
    await expect.poll(files).toEqual([`${key}.${claimant.id}.part`]);
    await DiskBlobStore.open(directory, { claimant: { id: newUuid() }, living: async () => new Set([claimant.id]) });
    gate.resolve();
    await writing;
    expect((await buffer(blobs.read(key, 5))).toString()).toBe('first');
  });
});
