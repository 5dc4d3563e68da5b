import { secondsFromNow } from '../../lib/clock.ts';

/** Uploads that no knowledge base has taken. */
export interface UnattachedUploads {
  /**
   * Marks uploads from before a timestamp as discarded, the oldest first.
   * @returns how many, at most `limit`
   */
  discard(uploadedBefore: string, limit: number): Promise<number>;
}

/**
 * Discards uploads that were not attached to a knowledge base in time. Another chore deletes discarded files with their
 * content, so that an interruption leaves no orphans.
 * @param hours retention time; 0 for no limit
 * @returns how many, at most `limit`
 */
export async function discardUnattached(uploads: UnattachedUploads, hours: number, limit: number): Promise<number> {
  return hours === 0 ? 0 : uploads.discard(secondsFromNow(-hours * 3600), limit);
}
