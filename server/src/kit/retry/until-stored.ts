import { ParleyError, type PlatformContext, type Reason } from '@parley/sdk';
import { repeated } from './repeat.ts';

/** After these, no later attempt would store what a platform sent. */
const lastingReasons: readonly Reason[] = [
  'invalid_request',
  'too_large',
  'bot_not_running',
  'bot_disabled',
  'not_found',
];

export interface UntilStoredOptions {
  context: Pick<PlatformContext, 'bot_uuid' | 'logger' | 'intakeClosed'>;
  /** Pause after the first failure; it doubles with each, up to the longest. Milliseconds. */
  firstPauseMs: number;
  longestPauseMs: number;
}

/**
 * Stores what a platform sends once, as soon as that is possible, also after the bot was disconnected: while the database
 * is away, this process disconnects its bots. The first attempt is made in any case.
 * @throws the error of `store` when a retry makes no sense, or the reason why nothing more is taken
 */
export async function untilStored(
  store: () => Promise<unknown>,
  { context, firstPauseMs, longestPauseMs }: UntilStoredOptions,
): Promise<void> {
  const { bot_uuid, logger, intakeClosed: signal } = context;
  const mayRepeat = (error: unknown) => !(error instanceof ParleyError && lastingReasons.includes(error.reason));
  try {
    await store();
  } catch (error) {
    if (signal.aborted || !mayRepeat(error)) throw error;
    logger.warn({ bot: bot_uuid, error }, 'what a platform sent is not stored yet');
    await repeated(store, { firstPauseMs, longestPauseMs, mayRepeat, signal });
  }
}
