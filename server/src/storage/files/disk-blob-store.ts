import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore, WrittenBlob } from '../../core/files/file-store.ts';
import { isUuid } from '../../lib/uuid.ts';
import { classifyFileError } from '../classify-error.ts';

/** Leading bytes passed to type detection; file type detectors read this much. */
const headBytes = 4100;
const partSuffix = '.part';
/** Written and hashed at once, bytes. Each upload takes as much memory. */
const pieceBytes = 256 * 1024;

/** Blobs as files under one folder, in 256 folders by the end of their key. */
export class DiskBlobStore implements BlobStore {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Opens the folder and removes partial files of interrupted writes. */
  static async open(directory: string): Promise<DiskBlobStore> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const entry of await readdir(directory)) {
      if (entry.endsWith(partSuffix)) await rm(join(directory, entry), { force: true });
    }
    return new DiskBlobStore(directory);
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<WrittenBlob> {
    const path = this.#path(key);
    const part = join(this.#directory, `${key}${partSuffix}`);
    const head = Buffer.alloc(headBytes);
    let size = 0;
    let sha256: string;
    const file = await open(part, 'wx', 0o600).catch((error: unknown) => {
      throw classifyFileError(error);
    });
    try {
      try {
        const pieces = new PieceWriter(file);
        for await (const chunk of content) {
          if (size < headBytes) head.set(chunk.subarray(0, headBytes - size), size);
          size += chunk.byteLength;
          await pieces.add(chunk);
        }
        sha256 = await pieces.end();
        await file.sync();
      } finally {
        await file.close();
      }
      const folder = join(path, '..');
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      if (made !== undefined) await syncDirectory(this.#directory);
      await rename(part, path);
      await syncDirectory(folder);
    } catch (error) {
      // A disk that is read-only or broken does not remove it either; the next start does.
      await rm(part, { force: true }).catch(() => {});
      throw classifyFileError(error);
    }
    return { size, sha256, head: head.subarray(0, Math.min(size, headBytes)) };
  }

  read(key: string): AsyncIterable<Uint8Array> {
    return lazily(this.#path(key));
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  /** Only uuids are valid keys; anything else could be a path from untrusted input. */
  #path(key: string): string {
    if (!isUuid(key)) throw new RangeError('a blob key must be a uuid');
    return join(this.#directory, key.slice(-2), key);
  }
}

/**
 * Collects the chunks of a stream, which are as small as they came, and writes and hashes large pieces. Chunks are
 * copied, so that the memory of each is free as soon as it was passed on.
 */
class PieceWriter {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  readonly #piece = Buffer.allocUnsafeSlow(pieceBytes);
  #filled = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.byteLength; ) {
      const part = chunk.subarray(taken, taken + pieceBytes - this.#filled);
      this.#piece.set(part, this.#filled);
      this.#filled += part.byteLength;
      taken += part.byteLength;
      if (this.#filled === pieceBytes) await this.#flush();
    }
  }

  /** @returns SHA-256 of all chunks, in hex */
  async end(): Promise<string> {
    if (this.#filled > 0) await this.#flush();
    return this.#hash.digest('hex');
  }

  async #flush(): Promise<void> {
    const piece = this.#piece.subarray(0, this.#filled);
    const writing = this.#file.writeFile(piece);
    // While the system writes.
    this.#hash.update(piece);
    await writing;
    this.#filled = 0;
  }
}

/** Opens the file on the first read: a stream that is never read would leave its file open. */
async function* lazily(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}

/** A rename is on disk only when the folder is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
