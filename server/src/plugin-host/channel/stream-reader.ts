import type { ChannelLimits } from './channel.ts';
import { ChannelFault } from './channel-fault.ts';

export interface StreamReaderOptions {
  credit: ChannelLimits['credit'];
  /** Counts what waits to be consumed, in all streams. @throws ChannelFault when that is too much */
  held(bytes: number): void;
  /** Lets the other side send more. */
  grant(items: number, bytes: number): void;
  /** The reader wants no more, before the stream has ended. */
  left(): void;
}

/** What the other side streams: holds what has come and is not read yet, which the credit limits. */
export class StreamReader<Item> implements AsyncIterable<Item> {
  readonly #options: StreamReaderOptions;
  #items: { item: Item; bytes: number }[] = [];
  /** What has come and was not granted anew. */
  #ahead = { items: 0, bytes: 0 };
  /** What was read and not granted anew. */
  #read = { items: 0, bytes: 0 };
  #ending: { error: unknown } | null = null;
  #wake: (() => void) | null = null;

  constructor(options: StreamReaderOptions) {
    this.#options = options;
  }

  /** Whether nothing more is expected of the other side. */
  get hasEnded(): boolean {
    return this.#ending !== null;
  }

  /** @throws ChannelFault when the other side did not wait for credit */
  push(item: Item, bytes: number): void {
    if (this.#ending !== null) return;
    const { credit, held } = this.#options;
    if (this.#ahead.items >= credit.items || this.#ahead.bytes >= credit.bytes) {
      throw new ChannelFault('a stream that does not wait for its reader');
    }
    held(bytes);
    this.#ahead.items += 1;
    this.#ahead.bytes += bytes;
    this.#items.push({ item, bytes });
    this.#wakeUp();
  }

  /** The stream is complete; what has come can still be read. */
  end(error: Error | null): void {
    this.#ending ??= { error };
    this.#wakeUp();
  }

  /** Ends the stream at once; what was not read is dropped. */
  fail(error: unknown): void {
    this.#drop();
    // What a reader has not seen yet is replaced, the end of a stream that was read to its end is not.
    this.#ending = { error };
    this.#wakeUp();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    try {
      for (;;) {
        const next = this.#items.shift();
        if (next !== undefined) {
          this.#consumed(next.bytes);
          yield next.item;
        } else if (this.#ending !== null) {
          if (this.#ending.error !== null) throw this.#ending.error;
          return;
        } else {
          const { promise, resolve } = Promise.withResolvers<void>();
          this.#wake = resolve;
          await promise;
        }
      }
    } finally {
      this.#leave();
    }
  }

  /** Nobody reads it. */
  #leave(): void {
    this.#drop();
    if (this.#ending !== null) return;
    this.#ending = { error: null };
    this.#options.left();
  }

  #drop(): void {
    for (const { bytes } of this.#items.splice(0)) this.#options.held(-bytes);
  }

  /** Grants credit in halves, so that not each item is answered with a frame. */
  #consumed(bytes: number): void {
    const { credit, held, grant } = this.#options;
    held(-bytes);
    this.#read.items += 1;
    this.#read.bytes += bytes;
    const { items, bytes: readBytes } = this.#read;
    if (this.#ending !== null || (items * 2 < credit.items && readBytes * 2 < credit.bytes)) return;
    this.#read = { items: 0, bytes: 0 };
    this.#ahead.items -= items;
    this.#ahead.bytes -= readBytes;
    grant(items, readBytes);
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
