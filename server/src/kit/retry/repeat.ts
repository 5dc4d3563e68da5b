import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import { retryableError } from '../../lib/retryable-error.ts';

export interface RepeatOptions {
  /** Pause after the first failure; it doubles with each, up to the longest. Milliseconds. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** Whether a retry makes sense. */
  mayRepeat(error: Error): boolean;
  /** A pause for a failure instead of the backoff, milliseconds; null for the backoff. Default: always the backoff. */
  pauseFor?(error: Error): number | null;
  /** Called before each pause. */
  onPause?(error: Error): void;
  signal: AbortSignal;
}

/**
 * Retries a call with backoff until it succeeds.
 * @throws the last error, when a retry makes no sense or there is no time for it; else the signal's reason
 */
export async function repeated<Result>(attempt: () => Promise<Result>, options: RepeatOptions): Promise<Result> {
  const { mayRepeat, pauseFor = () => null, onPause, signal } = options;
  let success: { result: Result } | undefined;
  const call = async () => {
    try {
      success = { result: await attempt() };
    } catch (error) {
      throw retryableError(error);
    }
  };
  const calls = pRetry(call, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: options.firstPauseMs,
    maxTimeout: options.longestPauseMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => mayRepeat(error),
    // The requested pause is made below, so none follows it.
    shouldConsumeRetry: ({ error }) => pauseFor(error) === null,
    onFailedAttempt: async ({ error }) => {
      if (!mayRepeat(error)) return;
      const pause = pauseFor(error);
      onPause?.(error);
      if (pause !== null) await delay(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
  });
  try {
    await calls;
  } catch (error) {
    // A call that succeeded during the abort still counts.
    if (success === undefined) throw error;
  }
  return (success as { result: Result }).result;
}
