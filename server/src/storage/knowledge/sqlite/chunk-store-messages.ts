import type { ErrorDetail, Reason } from '@parley/sdk';
import type { ChunkDatabase } from './chunk-database.ts';

/** What the thread with the file can be asked for. */
export type Method = Exclude<keyof ChunkDatabase, 'close' | 'isIdle'>;

/** What the thread is told: a question, or that it should close the file and end. */
export type WorkerMessage = { id: number; method: Method; values: unknown[] } | 'close';

/** What the thread tells. */
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
