import type { Readable, Writable } from 'node:stream';

/*
 * One side of the connection between the server and the process of a plugin. Both sides use it: requests, streams and
 * limits are the same in both directions.
 */

/** A request to the other side. */
export interface ChannelRequest {
  method: string;
  parameters: unknown;
  /** The request of the other side during which this one is made; null if there is none. */
  during: IncomingRequest | null;
  /** Streamed to the other side. */
  bytes?: AsyncIterable<Uint8Array>;
  /** Longest time until the result, milliseconds; null for none. */
  timeoutMs: number | null;
  /** Cancels the request at the other side as well. */
  signal: AbortSignal;
  /** What the other side notifies of about this request. */
  notified?(name: string, parameters: unknown): void;
}

/** What becomes of a request. All of it fails together. */
export interface OpenRequest {
  /**
   * @throws ParleyError with reason, message and details of the other side; `plugin_timeout`; `plugin_crashed` when the
   *   connection closes; the reason of the signal
   */
  result: Promise<unknown>;
  /** Streamed by the other side, which waits when it is not read. Leaving a loop over it cancels the stream. */
  items: AsyncIterable<unknown>;
  bytes: AsyncIterable<Uint8Array>;
  /** Cancels what of it has not ended. */
  end(): void;
}

/** A request of the other side. */
export interface IncomingRequest {
  method: string;
  /** Unchecked. */
  parameters: unknown;
  /** Our request during which it is made; null if it names none, or one that has ended. */
  during: ChannelRequest | null;
  bytes: AsyncIterable<Uint8Array>;
  /**
   * Aborted when the other side cancels, when our request during which it is made has ended, and when the connection
   * closes.
   */
  signal: AbortSignal;
  /** Notifies the other side about this request. */
  notify(name: string, parameters: unknown): void;
}

/** The response to a request of the other side. The streams may go on after the result. */
export interface ChannelAnswer {
  result: unknown;
  items?: AsyncIterable<unknown>;
  bytes?: AsyncIterable<Uint8Array>;
}

export interface ChannelOptions {
  input: Readable;
  output: Writable;
  /** @throws ParleyError that the other side gets; of other errors it gets `internal` */
  answer(request: IncomingRequest): Promise<ChannelAnswer>;
  /** Notifications that are about no request. */
  notified(name: string, parameters: unknown): void;
  limits: ChannelLimits;
}

export interface ChannelLimits {
  /** Longest frame, bytes; a longer one closes the connection before it is read. */
  frameBytes: number;
  /** Most bytes that wait to be written or to be consumed, of all requests together. */
  bytesInFlight: number;
  /** Deepest nesting of JSON. */
  depth: number;
  /** Most requests of the other side at once; further ones are refused with `plugin_busy`. */
  incomingRequests: number;
  /** What a stream may be ahead of its reader: items, and bytes. */
  credit: { items: number; bytes: number };
}

/** 8 MB a frame, 32 MB in flight, depth 64, 16 items or 256 kB ahead. */
export const channelLimits: ChannelLimits = {
  frameBytes: 8 << 20,
  bytesInFlight: 32 << 20,
  depth: 64,
  incomingRequests: 64,
  credit: { items: 16, bytes: 256 << 10 },
};

export interface Channel {
  open(request: ChannelRequest): OpenRequest;
  notify(name: string, parameters: unknown): void;
  /** Resolves when the connection is closed; with an error when the other side broke a rule. */
  closed: Promise<Error | null>;
  close(): void;
  /** Responses that came after their request had ended. */
  readonly lateResponses: number;
}
