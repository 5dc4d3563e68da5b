import { secondsFromNow } from '../../lib/clock.ts';

/** Uploads that no knowledge base has taken. */
export interface UnattachedUploads {
  /**
   * Marks those that are older than a moment as discarded, the oldest first.
   * @returns how many, at most `limit`
   */
  discard(uploadedBefore: string, limit: number): Promise<number>;
}

/**
 * Discards uploads that nobody attached to a knowledge base in time. What is discarded is removed with its content by
 * another chore, so that a process that ends in between leaves nothing that is not known.
 * @param hours how long they may wait; 0 for ever
 * @returns how many, at most `limit`
 */
export async function discardUnattached(uploads: UnattachedUploads, hours: number, limit: number): Promise<number> {
  return hours === 0 ? 0 : uploads.discard(secondsFromNow(-hours * 3600), limit);
}
