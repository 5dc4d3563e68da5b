import type { Logger } from '@parley/sdk';
import pRetry from 'p-retry';
import { isStorageUnavailable } from '../../lib/storage-error.ts';

/** Pauses between attempts, milliseconds. */
const pauses = { minTimeout: 200, maxTimeout: 5000, randomize: true };

/**
 * Stores what nobody else knows, the result of a send say: while nothing can be stored, it is attempted again and again.
 * @param signal ends the attempts; the first one is made in any case
 * @throws what the last attempt threw, or the signal's reason
 */
export async function persist<Result>(
  store: () => Promise<Result>,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<Result> {
  try {
    return await store();
  } catch (error) {
    if (signal.aborted || !isStorageUnavailable(error)) throw error;
    logger.error({ error }, 'the progress of a delivery could not be stored');
  }
  return pRetry(store, {
    ...pauses,
    retries: Number.POSITIVE_INFINITY,
    signal,
    shouldRetry: ({ error }) => isStorageUnavailable(error),
  });
}
