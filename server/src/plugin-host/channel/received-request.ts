import type { ChannelAnswer, ChannelRequest, IncomingRequest } from './channel.ts';
import type { StreamReader } from './stream-reader.ts';
import type { StreamWriter } from './stream-writer.ts';

export interface ReceivedRequestOptions {
  id: number;
  method: string;
  parameters: unknown;
  during: ChannelRequest | null;
  /** Whether bytes were announced. */
  hasBytes: boolean;
  bytes: StreamReader<Uint8Array>;
  /** Bytes of its parameters, which count until it is answered. */
  size: number;
  /** Why it is not answered; null if it is. */
  refusal: Error | null;
  notify(name: string, parameters: unknown): void;
}

/** A request of the other side until it was answered and what is streamed with the answer was sent. */
export class ReceivedRequest implements IncomingRequest {
  readonly id: number;
  readonly method: string;
  readonly parameters: unknown;
  readonly during: ChannelRequest | null;
  readonly hasBytes: boolean;
  readonly bytes: StreamReader<Uint8Array>;
  readonly size: number;
  readonly refusal: Error | null;
  readonly notify: IncomingRequest['notify'];
  readonly #controller = new AbortController();
  /** Null until the handler has answered. */
  answer: ChannelAnswer | null = null;
  /** Whether the response was sent. */
  isAnswered = false;
  readonly writers: { items?: StreamWriter<unknown>; bytes?: StreamWriter<Uint8Array> } = {};

  constructor(options: ReceivedRequestOptions) {
    this.id = options.id;
    this.method = options.method;
    this.parameters = options.parameters;
    this.during = options.during;
    this.hasBytes = options.hasBytes;
    this.bytes = options.bytes;
    this.size = options.size;
    this.refusal = options.refusal;
    this.notify = options.notify;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The result and the streams are no longer wanted. */
  abort(reason: Error): void {
    this.bytes.fail(reason);
    this.writers.items?.stop();
    this.writers.bytes?.stop();
    this.#controller.abort(reason);
  }
}
