import { secondsFromNow } from '../../lib/clock.ts';

const secondsPerDay = 86_400;

/** Deletes old messages. */
export interface MessageRetention {
  /**
   * Deletes messages that ended and were received before a timestamp, with their answers and all records about them;
   * then ended conversations from before it without messages. Waiting messages and those in progress stay, however old
   * they are.
   * @param before ISO 8601 UTC
   * @param limit messages and conversations at most, not counting answers
   * @returns how many of them were deleted
   */
  removeBefore(before: string, limit: number): Promise<number>;
}

/**
 * @param days retention time; 0 keeps messages forever
 * @returns how many messages and conversations were deleted, at most `limit`
 */
export async function forgetOldMessages(retention: MessageRetention, days: number, limit: number): Promise<number> {
  return days === 0 ? 0 : retention.removeBefore(secondsFromNow(-days * secondsPerDay), limit);
}
