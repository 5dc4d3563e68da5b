import type { Readable } from 'node:stream';
import { ChannelFault } from './channel-fault.ts';
import { type Frame, FrameReader } from './frames.ts';

/** How long frames are read before the reader yields, milliseconds. */
const longestTurn = 10;

export interface PacedFramesOptions {
  input: Readable;
  /** Longest content of a frame. */
  frameBytes: number;
  /** Handles a frame. What it does in microtasks before the promise resolves counts as reading. */
  handle(frame: Frame): Promise<void> | void;
  /** Whether reading must wait; {@link PacedFrames.resume} is called once it need not. */
  isCongested(): boolean;
  /** The input has ended, or is not what it should be. Called once. */
  ended(fault: Error | null): void;
}

/** Reads frames, at most half of the time: another side that floods this one leaves the other half to its other work. */
export class PacedFrames {
  readonly #options: PacedFramesOptions;
  readonly #frames: FrameReader;
  #isReading = false;
  #isClosed = false;
  /** Time of reading that no rest has made up for, milliseconds. */
  #busyMs = 0;
  #lastReadAt = 0;
  #rest: NodeJS.Timeout | null = null;

  constructor(options: PacedFramesOptions) {
    this.#options = options;
    this.#frames = new FrameReader(options.frameBytes);
    const { input } = options;
    input.on('data', this.#push);
    input.once('end', this.#end);
    input.once('close', this.#end);
    input.once('error', this.#end);
  }

  /** Goes on after congestion. */
  resume(): void {
    if (this.#isClosed || this.#rest !== null || this.#isReading || !this.#options.input.isPaused()) return;
    void this.#read();
  }

  /** Stops reading and destroys the input. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input } = this.#options;
    input.off('data', this.#push);
    for (const event of ['end', 'close', 'error']) input.off(event, this.#end);
    // It may still fail while it is destroyed.
    input.on('error', () => undefined);
    if (this.#rest !== null) clearTimeout(this.#rest);
    input.destroy();
  }

  readonly #push = (chunk: Buffer): void => {
    this.#frames.push(chunk);
    if (!this.#isReading && this.#rest === null) void this.#read();
  };

  readonly #end = (): void => {
    if (this.#isClosed) return;
    const isHalf = this.#frames.isWithinFrame && !this.#isReading && this.#rest === null;
    this.#stop(isHalf ? new ChannelFault('the connection ended within a frame') : null);
  };

  #stop(fault: Error | null): void {
    this.close();
    this.#options.ended(fault);
  }

  async #read(): Promise<void> {
    const { input, handle, isCongested } = this.#options;
    this.#isReading = true;
    const startedAt = performance.now();
    const owedMs = Math.max(0, this.#busyMs - (startedAt - this.#lastReadAt));
    let isWaiting = false;
    try {
      for (;;) {
        if (isCongested()) {
          isWaiting = true;
          break;
        }
        const frame = this.#frames.next();
        if (frame === null) break;
        await handle(frame);
        if (this.#isClosed) return;
        if (owedMs + performance.now() - startedAt > longestTurn) break;
      }
    } catch (fault) {
      return this.#stop(fault as Error);
    } finally {
      this.#isReading = false;
      this.#lastReadAt = performance.now();
      this.#busyMs = owedMs + this.#lastReadAt - startedAt;
    }
    if (this.#busyMs > longestTurn) this.#pause(this.#busyMs);
    else if (isWaiting) input.pause();
    else input.resume();
  }

  #pause(milliseconds: number): void {
    this.#options.input.pause();
    this.#rest = setTimeout(() => {
      this.#rest = null;
      void this.#read();
    }, milliseconds);
  }
}
