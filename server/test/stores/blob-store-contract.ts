import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../../src/core/files/file-store.ts';
import { newUuid } from '../../src/lib/uuid.ts';

/** A place for blobs, such as a folder or a bucket. */
export interface BlobPlace {
  /** Opens a store on it, as each replica does. */
  open(): Promise<BlobStore>;
  /** Names of everything that is in it, also of what is not complete. */
  names(): Promise<string[]>;
  remove(): Promise<void>;
}

/** Several times the largest upload; parts of a multipart upload have at least 5 MiB. */
const hugeBytes = 64 * 1024 * 1024;

/** Registers tests that hold a store of blobs to its contract. */
export function blobStoreContract(name: string, make: () => Promise<BlobPlace>): void {
  describe(`${name} as a store of blobs`, () => {
    let place: BlobPlace;
    let blobs: BlobStore;
    beforeEach(async () => {
      place = await make();
      blobs = await place.open();
    });
    afterEach(() => place.remove());

    const contentOf = (key: string, size: number, store = blobs) => buffer(store.read(key, size));
    const put = async (content: Buffer, key = newUuid()) => {
      await blobs.write(key, chunks(content));
      return key;
    };

    it.each([
      ['nothing', []],
      ['one byte', [Buffer.from('a')]],
      ['many chunks', Array.from({ length: 20 }, () => randomBytes(60_000))],
      ['single bytes', Array.from({ length: 5000 }, () => randomBytes(1))],
      ['chunks of about a piece', [262_143, 2, 262_144, 0, 1_000_001].map((size) => randomBytes(size))],
    ])('stores %s with size, checksum and leading bytes', async (_, parts) => {
      const key = newUuid();
      const whole = Buffer.concat(parts);
      const written = await blobs.write(key, chunks(...parts));
      expect({ ...written, head: Buffer.from(written.head) }).toEqual({
        size: whole.length,
        sha256: createHash('sha256').update(whole).digest('hex'),
        head: whole.subarray(0, 4100),
      });
      expect(await contentOf(key, whole.length)).toEqual(whole);
      expect(await place.names()).toHaveLength(1);
    });

    it('stores what is huge without holding it in memory', { timeout: 60_000 }, async () => {
      const piece = randomBytes(64 * 1024);
      let [pending, most] = [0, 0];
      async function* content() {
        for (let size = 0; size < hugeBytes; size += piece.length) {
          pending += 1;
          most = Math.max(most, pending);
          yield piece;
          pending -= 1;
        }
      }
      const key = newUuid();
      const { size, sha256 } = await blobs.write(key, content());
      expect([size, most]).toEqual([hugeBytes, 1]);
      const hash = createHash('sha256');
      for await (const chunk of blobs.read(key, size)) hash.update(chunk);
      expect(hash.digest('hex')).toBe(sha256);
    });

    it('has a blob for every other store on the same place once it is written', async () => {
      const other = await place.open();
      const key = await put(Buffer.from('one'));
      expect((await contentOf(key, 3, other)).toString()).toBe('one');
      await other.delete(key);
      await expect(contentOf(key, 3)).rejects.toThrow();
    });

    it('writes several at once', async () => {
      const contents = Array.from({ length: 20 }, () => randomBytes(300_000));
      const keys = await Promise.all(contents.map((content) => put(content)));
      for (const [index, key] of keys.entries()) expect(await contentOf(key, 300_000)).toEqual(contents[index]);
    });

    it('has one of two contents that are written under one key at once', async () => {
      const key = newUuid();
      const contents = [randomBytes(700_000), randomBytes(700_000)];
      const writes = await Promise.allSettled(contents.map((content) => put(content, key)));
      expect(writes.some(({ status }) => status === 'fulfilled')).toBe(true);
      const stored = await contentOf(key, 700_000);
      expect(contents.some((content) => content.equals(stored))).toBe(true);
      expect(await place.names()).toHaveLength(1);
    });

    it('has nothing of a write that is under way, nor of one that fails in the middle', async () => {
      const key = newUuid();
      const failure = new Error('cut');
      const [written, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // More than a part of a multipart upload.
      async function* content() {
        for (let part = 0; part < 12; part += 1) yield randomBytes(1024 * 1024);
        written.resolve();
        await gate.promise;
        throw failure;
      }
      const writing = blobs.write(key, content());
      await Promise.race([written.promise, writing]);
      await expect(contentOf(key, 12 * 1024 * 1024)).rejects.toThrow();
      gate.resolve();
      await expect(writing).rejects.toBe(failure);
      await expect(contentOf(key, 12 * 1024 * 1024)).rejects.toThrow();
      expect(await place.names()).toEqual([]);
    });

    it.each([
      ['shorter than it was', 1001],
      ['longer than it was', 999],
      ['empty now', 500_000],
    ])('does not pass off a blob as whole that is %s', async (_, size) => {
      const key = await put(size === 500_000 ? Buffer.alloc(0) : randomBytes(1000));
      await expect(contentOf(key, size)).rejects.toMatchObject({ name: 'StorageError', detail: 'io' });
    });

    it('opens nothing before the first chunk is requested, and closes what is read in part', async () => {
      const key = newUuid();
      const reading = blobs.read(key, 1_000_000);
      await put(randomBytes(1_000_000), key);
      for await (const chunk of reading) {
        expect(chunk.byteLength).toBeGreaterThan(0);
        break;
      }
      await blobs.delete(key);
      expect(await place.names()).toEqual([]);
    });

    it('deletes, also what is not there', async () => {
      const key = await put(Buffer.from('a'));
      const kept = await put(Buffer.from('b'));
      await blobs.delete(key);
      await blobs.delete(key);
      await expect(contentOf(key, 1)).rejects.toThrow();
      expect((await contentOf(kept, 1)).toString()).toBe('b');
      expect(await place.names()).toHaveLength(1);
    });

    it.each(['../../etc/passwd', '', 'a', `${newUuid()}/..`])('takes no key that could be a path: %j', async (key) => {
      await expect(blobs.write(key, chunks(Buffer.from('a')))).rejects.toThrow(RangeError);
      expect(() => blobs.read(key, 1)).toThrow(RangeError);
      await expect(blobs.delete(key)).rejects.toThrow(RangeError);
      expect(await place.names()).toEqual([]);
    });
  });
}

async function* chunks(...parts: Buffer[]): AsyncIterable<Uint8Array> {
  yield* parts;
}
