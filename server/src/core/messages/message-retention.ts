import { secondsFromNow } from '../../lib/clock.ts';

const secondsPerDay = 86_400;

/** Forgets what is old. */
export interface MessageRetention {
  /**
   * Removes messages that ended and came before a moment, with their answers and everything that is known of them; then
   * conversations from before it that are over and of which nothing is left. What waits or is worked on stays, however
   * old it is.
   * @param moment ISO 8601 UTC
   * @param limit messages and conversations at most, not counting answers
   * @returns how many of them were removed
   */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}

/**
 * @param days how long messages are kept; 0 keeps them for ever
 * @returns how many messages and conversations were removed, at most `limit`
 */
export async function forgetOldMessages(retention: MessageRetention, days: number, limit: number): Promise<number> {
  return days === 0 ? 0 : retention.removeBefore(secondsFromNow(-days * secondsPerDay), limit);
}
