import { largestId } from './frames.ts';

/*
 * What crosses the connection as JSON beside requests and responses: notifications of JSON-RPC. Each names the request
 * that it is about by `id`, except `$/notify`. `request` are the bytes that go with a request, `bytes` and `items` what
 * goes with its response.
 */

export type StreamName = 'request' | 'bytes' | 'items';

export interface WireNotifications {
  /** By the sender of the request: its result and streams are no longer wanted. As the library names it. */
  '$/cancelRequest': { id: number };
  '$/item': { id: number; item: unknown };
  /** By the sender of the stream: it is complete, or has failed. */
  '$/end': { id: number; stream: StreamName; error?: unknown };
  /** By the reader of the stream: so much was read, and as much more may be sent. */
  '$/credit': { id: number; stream: StreamName; items: number; bytes: number };
  /** By the reader of the bytes of a request: no more of them. */
  '$/stop': { id: number };
  /** By who answers the request. */
  '$/about': { id: number; name: string; parameters: unknown };
  '$/notify': { name: string; parameters: unknown };
}
export type WireNotification = keyof WireNotifications;

/** Parameters of a request. */
export interface WireRequest {
  value: unknown;
  /** Id of the request of the other side during which it is made. */
  during?: number;
  /** Bytes follow. */
  bytes?: true;
}

/** Result of a request. */
export interface WireResult {
  value: unknown;
  /** Items follow. */
  items?: true;
  /** Bytes follow. */
  bytes?: true;
}

export function isId(value: unknown): value is number {
  return isCount(value) && value <= largestId;
}

/** Whether it is a number of things: whole and not negative. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function isStreamName(value: unknown): value is StreamName {
  return value === 'request' || value === 'bytes' || value === 'items';
}
