import { ChannelFault } from './channel-fault.ts';

/*
 * A frame: 4 bytes length of the content (big-endian), 1 byte kind, the content. Binary content begins with 6 bytes: the
 * id of the request that it belongs to.
 */

/** JSON-RPC; bytes of a request, by its sender; bytes of a response, by the sender of the response. */
export const frameKinds = { json: 0, requestBytes: 1, responseBytes: 2 } as const;
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

export interface Frame {
  kind: FrameKind;
  content: Buffer;
}

const headerBytes = 5;
const idBytes = 6;
/** The largest id that fits. */
export const largestId = 2 ** (8 * idBytes) - 1;
const empty = Buffer.alloc(0);

/** @returns the frame, of which the content begins at the sixth byte */
export function jsonFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = header(length, frameKinds.json);
  frame.write(text, headerBytes);
  return frame;
}

export function binaryFrame(kind: FrameKind, id: number, bytes: Uint8Array): Buffer {
  const frame = header(idBytes + bytes.length, kind);
  frame.writeUIntBE(id, headerBytes, idBytes);
  frame.set(bytes, headerBytes + idBytes);
  return frame;
}

/** Length of the content of a frame, bytes. */
export function contentBytes(frame: Buffer): number {
  return frame.length - headerBytes;
}

/** @throws ChannelFault */
export function readBinary(content: Buffer): { id: number; bytes: Buffer } {
  if (content.length < idBytes) throw new ChannelFault('a binary frame without the id of a request');
  const bytes = content.subarray(idBytes);
  // A small part would keep all that was read with it.
  return {
    id: content.readUIntBE(0, idBytes),
    bytes: bytes.length * 2 < bytes.buffer.byteLength ? copy(bytes) : bytes,
  };
}

function copy(bytes: Buffer): Buffer {
  const copied = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copied);
  return copied;
}

function header(length: number, kind: FrameKind): Buffer {
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame.writeUInt32BE(length, 0);
  frame[4] = kind;
  return frame;
}

/** Takes chunks as they come and returns whole frames. Holds one unfinished frame at most. */
export class FrameReader {
  readonly #frameBytes: number;
  #unread: Buffer = empty;
  /** Chunks behind it. */
  #later: Buffer[] = [];
  #unfinished: { kind: FrameKind; content: Buffer; filled: number } | null = null;

  /** @param frameBytes longest content */
  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes;
  }

  push(chunk: Buffer): void {
    if (this.#unread.length === 0) this.#unread = chunk;
    else this.#later.push(chunk);
  }

  /** Whether a frame has begun and is not complete. */
  get isWithinFrame(): boolean {
    return this.#unfinished !== null || this.#unread.length > 0;
  }

  /**
   * @returns null when there is no whole frame yet
   * @throws ChannelFault for a header that cannot be, before any of the content is held
   */
  next(): Frame | null {
    if (this.#unfinished === null) {
      while (this.#unread.length < headerBytes) {
        const chunk = this.#later.shift();
        if (chunk === undefined) return null;
        this.#unread = Buffer.concat([this.#unread, chunk]);
      }
      const length = this.#unread.readUInt32BE(0);
      const kind = this.#kind(this.#unread.readUInt8(4));
      if (length > this.#frameBytes) throw new ChannelFault(`a frame of ${length} bytes`);
      if (this.#unread.length >= headerBytes + length) {
        this.#take(headerBytes);
        return { kind, content: this.#take(length) };
      }
      this.#take(headerBytes);
      this.#unfinished = { kind, content: Buffer.allocUnsafeSlow(length), filled: 0 };
    }
    const { kind, content } = this.#unfinished;
    while (this.#unfinished.filled < content.length) {
      const { filled } = this.#unfinished;
      const copied = this.#take(content.length - filled).copy(content, filled);
      if (copied === 0) return null;
      this.#unfinished.filled += copied;
    }
    this.#unfinished = null;
    return { kind, content };
  }

  #kind(byte: number): FrameKind {
    const { json, requestBytes, responseBytes } = frameKinds;
    if (byte === json || byte === requestBytes || byte === responseBytes) return byte;
    throw new ChannelFault('bytes that are no frame');
  }

  #take(length: number): Buffer {
    const taken = this.#unread.subarray(0, length);
    this.#unread = this.#unread.length <= length ? (this.#later.shift() ?? empty) : this.#unread.subarray(length);
    return taken;
  }
}
