import type { Logger } from '@parley/sdk';
import pRetry from 'p-retry';
import { findStorageError } from '../../lib/storage-error.ts';

/** Pauses between attempts, milliseconds. */
const pauses = { minTimeout: 200, maxTimeout: 5000, randomize: true };

/**
 * Stores a result that exists only in memory, such as that of a send: during an outage of the store it is retried.
 * @param signal ends the retries; the first attempt is made in any case
 * @throws the error of the last attempt, also when another process has claimed the message, or the signal's reason
 */
export async function persist<Result>(
  store: () => Promise<Result>,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<Result> {
  try {
    return await store();
  } catch (error) {
    if (signal.aborted || !mayPass(error)) throw error;
    logger.error({ error }, 'the progress of a delivery could not be stored');
  }
  return pRetry(store, {
    ...pauses,
    retries: Number.POSITIVE_INFINITY,
    signal,
    shouldRetry: ({ error }) => mayPass(error),
  });
}

/** What another process has taken over stays its own. */
function mayPass(error: unknown): boolean {
  const fault = findStorageError(error);
  return fault?.kind === 'unavailable' && fault.detail !== 'not_owner';
}
