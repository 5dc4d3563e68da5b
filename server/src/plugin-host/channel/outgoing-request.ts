import type { ChannelRequest, OpenRequest } from './channel.ts';
import type { StreamReader } from './stream-reader.ts';
import type { StreamWriter } from './stream-writer.ts';

/** A request of ours until its result and what is streamed with it have come. */
export class OutgoingRequest implements OpenRequest {
  readonly request: ChannelRequest;
  readonly items: StreamReader<unknown>;
  readonly bytes: StreamReader<Uint8Array>;
  /** Cancels what of it has not ended. */
  readonly end: () => void;
  readonly #result = Promise.withResolvers<unknown>();
  /** Given by the library when the request is sent. */
  id = -1;
  hasResponse = false;
  /** Sends the bytes of the request, from when it was sent. */
  writer: StreamWriter<Uint8Array> | null = null;
  /** Streams that the response announced. */
  announced: { items: boolean; bytes: boolean } = { items: false, bytes: false };
  #timer: NodeJS.Timeout | null = null;
  #abort: (() => void) | null = null;

  constructor(request: ChannelRequest, options: Pick<OutgoingRequest, 'items' | 'bytes' | 'end'>) {
    this.request = request;
    this.items = options.items;
    this.bytes = options.bytes;
    this.end = options.end;
    // Who reads the streams only learns of a failure by them.
    this.#result.promise.catch(() => undefined);
  }

  get result(): Promise<unknown> {
    return this.#result.promise;
  }

  /** Whether nothing more is expected of the other side. */
  get isComplete(): boolean {
    return this.hasResponse && this.items.hasEnded && this.bytes.hasEnded;
  }

  /** Calls back when the time until the result is over, or the signal is aborted. */
  watch(late: () => void, aborted: (reason: unknown) => void): void {
    const { timeoutMs, signal } = this.request;
    if (timeoutMs !== null) this.#timer = setTimeout(late, timeoutMs);
    this.#abort = () => aborted(signal.reason);
    signal.addEventListener('abort', this.#abort);
  }

  /** The response is here; what it announced still comes. */
  respond(announced: OutgoingRequest['announced']): void {
    this.hasResponse = true;
    this.announced = announced;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (!announced.items) this.items.end(null);
    if (!announced.bytes) this.bytes.end(null);
  }

  resolve(value: unknown): void {
    this.#result.resolve(value);
  }

  /** Fails a result that would not come otherwise. */
  reject(error: unknown): void {
    this.#result.reject(error);
  }

  /** All of it fails: what has not come yet, and what was not read yet. */
  fail(error: unknown): void {
    this.#result.reject(error);
    this.items.fail(error);
    this.bytes.fail(error);
    this.release();
  }

  /** Frees timer, listener and source, once it is complete or has failed. */
  release(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#abort !== null) this.request.signal.removeEventListener('abort', this.#abort);
    this.writer?.stop();
  }
}
