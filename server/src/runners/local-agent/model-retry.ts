import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import { RequestFailure } from '../../kit/model-requests/model-request.ts';

export interface ModelRetryOptions {
  /** How often the last model is retried after a transient failure; any other model, once at most. */
  maximumRetries: number;
  /** Pause before a retry, doubled each time with up to 100 % jitter, milliseconds. */
  retryPauseMs: number;
  signal: AbortSignal;
}

/** Longest `retry-after` that is waited for, seconds; beyond it, another key or model is used. */
const longestWaitSeconds = 5;

/**
 * Starts a model call, and retries it with a pause after transient failures.
 * @param left what is left to try when this model fails with this key
 * @throws the last failure
 */
export function retryModelCall<Started>(
  start: () => Promise<Started>,
  left: { hasModel: boolean; hasKey: boolean },
  { maximumRetries, retryPauseMs, signal }: ModelRetryOptions,
): Promise<Started> {
  return pRetry(start, {
    retries: left.hasModel ? Math.min(1, maximumRetries) : maximumRetries,
    minTimeout: retryPauseMs,
    randomize: true,
    signal,
    shouldRetry: async ({ error }) => {
      if (!(error instanceof RequestFailure) || !error.mayPass) return false;
      const { reason, retryAfterSeconds } = error.failure;
      if (reason === 'quota' && (left.hasKey || (retryAfterSeconds === undefined && left.hasModel))) return false;
      if (retryAfterSeconds === undefined) return true;
      if (retryAfterSeconds > longestWaitSeconds) return false;
      await delay(retryAfterSeconds * 1000, undefined, { signal });
      return true;
    },
  });
}
