import { type Kysely, sql } from 'kysely';
import pRetry from 'p-retry';
import { findStorageError } from '../lib/storage-error.ts';
import type { Engine } from './engine.ts';

/**
 * How long a statement that changes tables waits for a lock on PostgreSQL. Whatever comes after it waits as well, also reads
 * that the lock would let through.
 */
const lockTimeout = '1s';

/** How a change of tables is retried that did not get its locks. */
const lockRetry = { retries: 60, minTimeout: 500, maxTimeout: 2000, randomize: true } as const;

/** Limits the wait for locks until a transaction ends, on PostgreSQL. */
export async function limitLocks(transaction: Pick<Kysely<never>, 'getExecutor'>): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction);
}

/** Runs a transaction that changes tables, again while it does not get its locks. */
export function retryLocked<Result>(engine: Engine, change: () => Promise<Result>): Promise<Result> {
  return pRetry(change, {
    ...lockRetry,
    shouldRetry: ({ error }) => engine === 'postgres' && findStorageError(error)?.detail === 'locked',
  });
}
