import type { ErrorDetail, Reason } from '@parley/sdk';
import type { ChunkDatabase } from './chunk-database.ts';

/** Methods that can be called in the thread. */
export type Method = Exclude<keyof ChunkDatabase, 'close' | 'isIdle'>;

/** Messages to the thread: a call, or a request to close the file and exit. */
export type WorkerMessage = { id: number; method: Method; values: unknown[] } | 'close';

/** Messages from the thread. */
export type WorkerNote =
  | { kind: 'answer'; id: number; result: unknown }
  | { kind: 'error'; id: number; error: CarriedError }
  | { kind: 'idle' }
  | { kind: 'warning'; fields: Record<string, unknown>; message: string }
  | { kind: 'damaged'; movedTo: string | null; error: string };

/** An error on its way from one thread to another. */
export interface CarriedError {
  /** Null for errors that are not meant. */
  reason: Reason | null;
  message: string;
  details: ErrorDetail[] | undefined;
}
