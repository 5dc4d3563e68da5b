import type { Writable } from 'node:stream';

/** How many messages may wait before nothing more is read of a side that does not read either. */
const mostWaiting = 1000;

interface Waiting {
  /** @returns null when it is no longer wanted */
  frame: () => Buffer | null;
  written: PromiseWithResolvers<void>;
}

export interface FrameOutputOptions {
  output: Writable;
  frameBytes: number;
  /** Most bytes that wait to be written. */
  bytesInFlight: number;
  /** {@link FrameOutput.isCongested} has become false. */
  relieved(): void;
  /** The output was closed, or failed. Called once. */
  ended(): void;
}

/**
 * Writes frames in order. Those that follow when too many bytes wait are made once there is room for them, so what waits
 * is bounded in bytes.
 */
export class FrameOutput {
  readonly #options: FrameOutputOptions;
  #waiting: Waiting[] = [];
  #isCorked = false;
  #isClosed = false;

  constructor(options: FrameOutputOptions) {
    this.#options = options;
    options.output.on('drain', this.#drain);
    options.output.once('close', this.#end);
    options.output.once('error', this.#end);
  }

  /**
   * @param frame makes the frame; returns null when it is no longer wanted
   * @returns resolves when the frame is on its way
   * @throws what `frame` throws
   */
  async write(frame: Waiting['frame']): Promise<void> {
    if (this.#isClosed) return;
    if (this.#waiting.length === 0 && this.#hasRoom()) return this.#put(frame);
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ frame, written });
    return written.promise;
  }

  /** Whether the other side does not read what it is sent. */
  get isCongested(): boolean {
    return this.#waiting.length > mostWaiting;
  }

  /** Whether frames wait because too many bytes do. */
  get isFull(): boolean {
    return this.#waiting.length > 0;
  }

  close(isBroken: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { output } = this.#options;
    output.off('drain', this.#drain);
    output.off('close', this.#end);
    output.off('error', this.#end);
    // What is written last may still fail.
    output.on('error', () => undefined);
    if (isBroken) output.destroy();
    else output.end();
    for (const { written } of this.#waiting.splice(0)) written.resolve();
  }

  #hasRoom(): boolean {
    const { output, frameBytes, bytesInFlight } = this.#options;
    // Below its own mark the output does not tell when it has drained.
    return output.writableLength <= Math.max(output.writableHighWaterMark, bytesInFlight - frameBytes);
  }

  #put(make: Waiting['frame']): void {
    const { output } = this.#options;
    const frame = make();
    if (frame === null) return;
    // One system call for what is written at the same time.
    if (!this.#isCorked) {
      this.#isCorked = true;
      output.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        output.uncork();
      });
    }
    output.write(frame);
  }

  readonly #drain = (): void => {
    const wasCongested = this.isCongested;
    let done = 0;
    for (const { frame, written } of this.#waiting) {
      if (!this.#hasRoom()) break;
      done += 1;
      try {
        this.#put(frame);
        written.resolve();
      } catch (error) {
        written.reject(error);
      }
    }
    this.#waiting.splice(0, done);
    if (wasCongested && !this.isCongested) this.#options.relieved();
  };

  readonly #end = (): void => {
    if (!this.#isClosed) this.#options.ended();
  };
}
