/** The least size of a part of a multipart upload but the last, bytes. */
export const partBytes = 5 * 1024 * 1024;

/** At first; grows as much as the content needs. */
const firstBytes = 64 * 1024;

/**
 * Collects the chunks of a stream up to the size of a part. They are copied: a client may send single bytes, each of
 * which is an object that would be kept.
 */
export class PartBuffer {
  #bytes = Buffer.allocUnsafe(firstBytes);
  #length = 0;

  get isFull(): boolean {
    return this.#length === partBytes;
  }

  /** Until the next {@link clear}. */
  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @returns how many bytes were taken, from the start */
  add(chunk: Uint8Array): number {
    const taken = Math.min(chunk.byteLength, partBytes - this.#length);
    this.#reserve(this.#length + taken);
    this.#bytes.set(chunk.subarray(0, taken), this.#length);
    this.#length += taken;
    return taken;
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.min(partBytes, Math.max(length, this.#bytes.length * 2)));
    grown.set(this.content);
    this.#bytes = grown;
  }
}
