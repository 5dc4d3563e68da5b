import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageImageCache } from '../../core/knowledge/document-page-images.ts';
import type { ImageCache } from '../../core/messages/message-images.ts';
import { newUuid } from '../../lib/uuid.ts';

/** Lifetime of an image, milliseconds. */
const defaultLifetime = 24 * 3_600_000;
/** Bytes that all of them may take; then the oldest ones go. */
const defaultCapacity = 256 * 1024 * 1024;

interface Entry {
  path: string;
  size: number;
  /** When it was written, milliseconds since 1970. */
  writtenAt: number;
}

/** Images as files in one folder, for a limited time. Whatever is in it may be removed at any time. */
export class DiskImageCache implements ImageCache, PageImageCache {
  readonly #directory: string;
  readonly #capacity: number;
  readonly #lifetime: number;

  /** The folder is created when the first image is written. */
  constructor(directory: string, { capacity = defaultCapacity, lifetimeMs = defaultLifetime } = {}) {
    this.#directory = directory;
    this.#capacity = capacity;
    this.#lifetime = lifetimeMs;
  }

  async read(key: string): Promise<Uint8Array | null> {
    const path = join(this.#directory, key);
    try {
      const { mtimeMs } = await stat(path);
      return this.#isExpired(mtimeMs) ? null : await readFile(path);
    } catch {
      return null;
    }
  }

  async write(key: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const part = join(this.#directory, `${newUuid()}.part`);
    try {
      await writeFile(part, bytes, { mode: 0o600, flag: 'wx' });
      await rename(part, join(this.#directory, key));
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      throw error;
    }
    await this.prune();
  }

  async removeAll(prefix: string): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    const removed = names.filter((name) => name.startsWith(prefix));
    await Promise.all(removed.map((name) => rm(join(this.#directory, name), { force: true })));
  }

  /** Removes expired images and those over capacity. @returns the number of files */
  async prune(): Promise<number> {
    const entries = await this.#entries();
    let room = this.#capacity;
    const surplus = entries.filter(({ size, writtenAt }) => {
      room -= size;
      return room < 0 || this.#isExpired(writtenAt);
    });
    await Promise.all(surplus.map(({ path }) => rm(path, { force: true })));
    return surplus.length;
  }

  /** The newest one first. */
  async #entries(): Promise<Entry[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const entries = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#directory, name);
        const found = await stat(path).catch(() => null);
        return found === null ? [] : [{ path, size: found.size, writtenAt: found.mtimeMs }];
      }),
    );
    return entries.flat().sort((left, right) => right.writtenAt - left.writtenAt);
  }

  #isExpired(writtenAt: number): boolean {
    return Date.now() - writtenAt > this.#lifetime;
  }
}
