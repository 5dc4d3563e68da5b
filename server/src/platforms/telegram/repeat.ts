import { setTimeout as delay } from 'node:timers/promises';
import pRetry from 'p-retry';
import { TelegramFailure } from './failure.ts';

export interface RepeatOptions {
  /** Pause after the first failure; it doubles with each, up to the longest. Milliseconds. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** Whether another attempt makes sense. */
  mayRepeat(error: Error): boolean;
  /** A pause that a failure asks for instead of the growing one, milliseconds. Default: what Telegram said. */
  pauseFor?(error: Error): number | null;
  /** Called before each pause. */
  onPause?(error: Error): void;
  signal: AbortSignal;
}

/** The pause that Telegram asks for, milliseconds. @see https://core.telegram.org/bots/api#responseparameters */
export function retryAfterOf(error: Error): number | null {
  return error instanceof TelegramFailure ? error.retryAfterMs : null;
}

/**
 * Calls until it succeeds, with growing pauses.
 * @throws what the last attempt threw, when no other one makes sense or there is no time for it; else the signal's reason
 */
export async function repeated<Result>(attempt: () => Promise<Result>, options: RepeatOptions): Promise<Result> {
  const { mayRepeat, pauseFor = retryAfterOf, onPause, signal } = options;
  let success: { result: Result } | undefined;
  const call = async () => {
    success = { result: await attempt().catch(rethrow) };
  };
  const calls = pRetry(call, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: options.firstPauseMs,
    maxTimeout: options.longestPauseMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => mayRepeat(error),
    // The pause that was asked for is made below, so none follows it.
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
    // What succeeded while the signal came has succeeded all the same.
    if (success === undefined) throw error;
  }
  return (success as { result: Result }).result;
}

/** The library takes a TypeError for a fault of the program and gives up, but what calls for ever must go on. */
function rethrow(error: unknown): never {
  throw error instanceof TypeError ? new Error(error.message, { cause: error }) : error;
}
