import { ParleyError } from '@parley/sdk';
import { StorageError } from '../../../lib/storage-error.ts';
import type { LedgerOptions } from '../ledger-tables.ts';

/** What the thread is started with. */
export interface LedgerThreadData extends Pick<LedgerOptions, 'webhookWaitMs'> {
  file: string;
  owner: string;
}

/** A call of a method of a part of the ledger. */
export interface LedgerOperation {
  part: 'messages' | 'deliveries' | 'replyContextStore' | 'counter' | 'effects';
  method: string;
  values: readonly unknown[];
}

/** Operations that are stored together. Texts pass between threads in a fraction of the time that objects take. */
export interface LedgerSet {
  /** A list of {@link LedgerOperation}, as JSON. */
  operations: string;
  /** Whether there may be webhooks that receive messages. */
  mayTellWebhooks: boolean;
  /** Whether the statements are reported. */
  isObserved: boolean;
}

/** What one operation returned or threw. */
export type OperationAnswer = { result: unknown } | { error: CarriedError };

/**
 * The results of a set: an {@link OperationAnswer} for each operation, in order, as a list in JSON; or why none of them was
 * stored.
 */
export type SetAnswer = ({ answers: string } | { error: CarriedError }) & {
  /** The statements that were run, if they are observed. */
  statements: readonly string[];
};

/** An error between two threads, which would lose its class and fields. */
type CarriedError =
  | { type: 'storage'; detail: StorageError['detail']; message: string; code: string | number | undefined }
  | { type: 'parley'; reason: ParleyError['reason']; message: string; details: ParleyError['details'] }
  | { type: 'other'; message: string; stack: string | undefined };

export function carryError(error: unknown): CarriedError {
  if (error instanceof StorageError) {
    const { detail, message, code } = error;
    return { type: 'storage', detail, message, code };
  }
  if (error instanceof ParleyError) {
    const { reason, message, details } = error;
    return { type: 'parley', reason, message, details };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { type: 'other', message, stack };
}

export function carriedError(carried: CarriedError): Error {
  const { message } = carried;
  switch (carried.type) {
    case 'storage':
      return new StorageError(carried.detail, message, carried.code === undefined ? {} : { code: carried.code });
    case 'parley':
      return new ParleyError(
        carried.reason,
        message,
        carried.details === undefined ? {} : { details: carried.details },
      );
    case 'other':
      return Object.assign(new Error(message), { stack: carried.stack ?? message });
  }
}
