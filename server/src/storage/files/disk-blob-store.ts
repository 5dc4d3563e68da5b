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
/** Written at once, bytes. Each upload holds as much in memory. */
const pieceBytes = 256 * 1024;
/** Chunks that are written at once at most: a client may send single bytes. */
const pieceChunks = 64;
/** After so many bytes of all uploads, the buffers that they came in are collected. */
const collectionBytes = 8 * 1024 * 1024;

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
    const hash = createHash('sha256');
    const head = Buffer.alloc(headBytes);
    let size = 0;
    const file = await open(part, 'wx', 0o600).catch((error: unknown) => {
      throw classifyFileError(error);
    });
    try {
      try {
        const pieces = new PieceWriter(file);
        for await (const chunk of content) {
          if (size < headBytes) head.set(chunk.subarray(0, headBytes - size), size);
          hash.update(chunk);
          size += chunk.byteLength;
          await pieces.add(chunk);
        }
        await pieces.flush();
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
    return { size, sha256: hash.digest('hex'), head: head.subarray(0, Math.min(size, headBytes)) };
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

/** Collects the chunks of a stream, which are as small as they came, and writes many of them at once. */
class PieceWriter {
  readonly #file: FileHandle;
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes >= pieceBytes || this.#chunks.length >= pieceChunks) await this.flush();
  }

  async flush(): Promise<void> {
    const [chunks, bytes] = [this.#chunks, this.#bytes];
    this.#chunks = [];
    this.#bytes = 0;
    if (bytes === 0) return;
    const { bytesWritten } = await this.#file.writev(chunks);
    uncollected.add(bytes);
    // The system may write less at once, as on a disk that fills up: the next attempt says why.
    if (bytesWritten < bytes) await this.#file.writeFile(Buffer.concat(chunks, bytes).subarray(bytesWritten));
  }
}

/**
 * The buffers that sockets read into are outside of the heap: V8 lets many MB of them pile up before it looks for those
 * that are free. A minor collection takes a millisecond. Only with `--expose-gc`, as the service is started.
 */
class UncollectedBuffers {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < collectionBytes) return;
    this.#bytes = 0;
    globalThis.gc?.({ type: 'minor', execution: 'sync' });
  }
}

const uncollected = new UncollectedBuffers();

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
