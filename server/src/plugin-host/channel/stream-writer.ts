import type { ByteBudget } from './byte-budget.ts';
import type { ChannelLimits } from './channel.ts';
import { ChannelFault } from './channel-fault.ts';
import { contentBytes } from './frames.ts';

export interface StreamWriterOptions<Item> {
  source: AsyncIterable<Item>;
  credit: ChannelLimits['credit'];
  /** Of all streams together. */
  budget: ByteBudget;
  /** @returns the frames of an item. @throws anything when it cannot be sent */
  frames(item: Item): Iterable<Buffer>;
  write(frame: Buffer): Promise<void>;
  /** The source has ended, or failed with an error. Not called once the stream was stopped. */
  ended(failure: { error: unknown } | null): void;
}

/** Streams to the other side, as far ahead of its reader as the credit allows. */
export class StreamWriter<Item> {
  readonly #options: StreamWriterOptions<Item>;
  readonly #iterator: AsyncIterator<Item>;
  /** What was sent and not granted anew. */
  #ahead = { items: 0, bytes: 0 };
  #isStopped = false;
  #wake: (() => void) | null = null;

  constructor(options: StreamWriterOptions<Item>) {
    this.#options = options;
    this.#iterator = options.source[Symbol.asyncIterator]();
  }

  get isRunning(): boolean {
    return !this.#isStopped;
  }

  /** Never throws. */
  async run(): Promise<void> {
    const { frames, ended } = this.#options;
    let failure: { error: unknown } | null = null;
    try {
      for (;;) {
        const next = await this.#iterator.next();
        if (this.#isStopped) return;
        if (next.done === true) break;
        for (const frame of frames(next.value)) {
          await this.#send(frame);
          if (this.#isStopped) return;
        }
      }
    } catch (error) {
      failure = { error };
      this.#release();
    }
    if (this.#isStopped) return;
    this.#giveBack(this.#ahead.items, this.#ahead.bytes);
    this.#isStopped = true;
    ended(failure);
  }

  /** @throws ChannelFault for more than was sent */
  grant(items: number, bytes: number): void {
    if (this.#isStopped) return;
    if (items > this.#ahead.items || bytes > this.#ahead.bytes) throw new ChannelFault('credit for what was not sent');
    this.#giveBack(items, bytes);
    this.#wakeUp();
  }

  /** Nobody reads it any more. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#giveBack(this.#ahead.items, this.#ahead.bytes);
    this.#wakeUp();
    this.#release();
  }

  async #send(frame: Buffer): Promise<void> {
    const { credit, budget, write } = this.#options;
    const bytes = contentBytes(frame);
    while (!this.#isStopped && (this.#ahead.items >= credit.items || this.#ahead.bytes >= credit.bytes)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#isStopped) return;
    await budget.take(bytes);
    if (this.#isStopped) return budget.giveBack(bytes);
    this.#ahead.items += 1;
    this.#ahead.bytes += bytes;
    await write(frame);
  }

  #giveBack(items: number, bytes: number): void {
    this.#ahead.items -= items;
    this.#ahead.bytes -= bytes;
    this.#options.budget.giveBack(bytes);
  }

  /** Lets the source free what it holds; it may be slow, or fail, which is no longer of interest. */
  #release(): void {
    void (async () => this.#iterator.return?.())().catch(() => undefined);
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
