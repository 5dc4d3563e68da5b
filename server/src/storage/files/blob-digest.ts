import { createHash } from 'node:crypto';
import type { WrittenBlob } from '../../core/files/file-store.ts';

/** Leading bytes passed to type detection; file type detectors read this much. */
const headBytes = 4100;

/** Finds out about a blob while it is written. */
export class BlobDigest {
  readonly #hash = createHash('sha256');
  readonly #head = Buffer.alloc(headBytes);
  #size = 0;

  add(chunk: Uint8Array): void {
    if (this.#size < headBytes) this.#head.set(chunk.subarray(0, headBytes - this.#size), this.#size);
    this.#hash.update(chunk);
    this.#size += chunk.byteLength;
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Ends it. */
  result(): WrittenBlob {
    return {
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      head: this.#head.subarray(0, Math.min(this.#size, headBytes)),
    };
  }
}
