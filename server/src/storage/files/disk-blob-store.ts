import { createReadStream } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore, WrittenBlob } from '../../core/files/file-store.ts';
import { type MarkedStore, markName } from '../../core/files/store-mark.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { classifyFileError } from '../classify-error.ts';
import type { Claimant } from '../replicas/claimant.ts';
import { BlobDigest } from './blob-digest.ts';
import { uncollectedBuffers } from './uncollected-buffers.ts';
import { wholeBlob } from './whole-blob.ts';

const partSuffix = '.part';
/** Written at once, bytes. Each upload holds as much in memory. */
const pieceBytes = 256 * 1024;
/** Chunks that are written at once at most: a client may send single bytes. */
const pieceChunks = 64;

/** Processes that share a folder. */
export interface BlobWriters {
  /** This process: names the files that it is writing. */
  claimant: Claimant;
  /** Ids of the living ones. */
  living(): Promise<ReadonlySet<string>>;
}

/**
 * Blobs as files under one folder, in 256 folders by the end of their key. While one is written, its name is that of its
 * writer as well: `<key>.<replica>.part`.
 */
export class DiskBlobStore implements BlobStore, MarkedStore {
  readonly #directory: string;
  readonly #claimant: Claimant;

  private constructor(directory: string, claimant: Claimant) {
    this.#directory = directory;
    this.#claimant = claimant;
  }

  /**
   * Opens the folder and removes partial files of interrupted writes.
   * @param writers default: no other process has the folder open
   */
  static async open(
    directory: string,
    { claimant, living }: BlobWriters = { claimant: { id: newUuid() }, living: async () => new Set() },
  ): Promise<DiskBlobStore> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // Before those that live: one that starts meanwhile may write at once.
    const parts = (await readdir(directory)).filter((entry) => entry.endsWith(partSuffix));
    const writers = parts.length === 0 ? new Set<string>() : await living();
    for (const part of parts) {
      if (!writers.has(part.split('.').at(1) ?? '')) await rm(join(directory, part), { force: true });
    }
    return new DiskBlobStore(directory, claimant);
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<WrittenBlob> {
    const path = this.#path(key);
    const part = join(this.#directory, `${key}.${this.#claimant.id}${partSuffix}`);
    const digest = new BlobDigest();
    const file = await open(part, 'wx', 0o600).catch((error: unknown) => {
      throw classifyFileError(error);
    });
    try {
      try {
        const pieces = new PieceWriter(file);
        for await (const chunk of content) {
          digest.add(chunk);
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
      // A disk that is read-only or broken does not remove it either; a start after this replica is gone does.
      await rm(part, { force: true }).catch(() => {});
      throw classifyFileError(error);
    }
    return digest.result();
  }

  read(key: string, size: number): AsyncIterable<Uint8Array> {
    return wholeBlob(lazily(this.#path(key)), size);
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  get place(): string {
    return `the folder ${this.#directory}`;
  }

  has(key: string): Promise<boolean> {
    return access(this.#path(key)).then(
      () => true,
      () => false,
    );
  }

  async installation(): Promise<string | null> {
    try {
      return (await readFile(join(this.#directory, markName), 'utf8')).trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw classifyFileError(error);
    }
  }

  async mark(installation: string): Promise<void> {
    const part = join(this.#directory, `${markName}.${this.#claimant.id}${partSuffix}`);
    try {
      // Complete before it has its name: another replica may read it at any time.
      await writeFile(part, `${installation}\n`, { mode: 0o600, flush: true });
      await rename(part, join(this.#directory, markName));
      await syncDirectory(this.#directory);
    } catch (error) {
      throw classifyFileError(error);
    }
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
    uncollectedBuffers.add(bytes);
    // The system may write less at once, as on a disk that fills up: the next attempt says why.
    if (bytesWritten < bytes) await this.#file.writeFile(Buffer.concat(chunks, bytes).subarray(bytesWritten));
  }
}

/** Opens the file on the first read: a stream that is never read would leave its file open. */
async function* lazily(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw classifyFileError(error);
  }
}

/** A rename is on disk only when the folder is. A share of Windows does not sync folders, and says so. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync().catch((error: NodeJS.ErrnoException) => {
      if (!['EINVAL', 'ENOTSUP'].includes(error.code ?? '')) throw error;
    });
  } finally {
    await directory.close();
  }
}
