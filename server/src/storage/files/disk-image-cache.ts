import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageCache } from '../../core/messages/message-images.ts';
import { newUuid } from '../../lib/uuid.ts';

/** Lifetime of an image, milliseconds. */
const lifetime = 24 * 3_600_000;
/** Bytes that all of them may take; then the oldest ones go. */
const defaultCapacity = 256 * 1024 * 1024;

interface Entry {
  path: string;
  size: number;
  /** When it was written, milliseconds since 1970. */
  writtenAt: number;
}

/** Images as files in one folder, for a day each. Whatever is in it may be removed at any time. */
export class DiskImageCache implements ImageCache {
  readonly #directory: string;
  readonly #capacity: number;

  /** The folder is created when the first image is written. */
  constructor(directory: string, { capacity = defaultCapacity } = {}) {
    this.#directory = directory;
    this.#capacity = capacity;
  }

  async read(key: string): Promise<Uint8Array | null> {
    const path = join(this.#directory, key);
    try {
      const { mtimeMs } = await stat(path);
      return isExpired(mtimeMs) ? null : await readFile(path);
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

  /** Removes expired images and those over capacity. @returns the number of files */
  async prune(): Promise<number> {
    const entries = await this.#entries();
    let room = this.#capacity;
    const surplus = entries.filter(({ size, writtenAt }) => {
      room -= size;
      return room < 0 || isExpired(writtenAt);
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
}

function isExpired(writtenAt: number): boolean {
  return Date.now() - writtenAt > lifetime;
}
