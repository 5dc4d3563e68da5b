/** How long a delivery is tried after its message was stored, milliseconds: a receiver may be down for a day. */
export const deliveryLifetime = 25 * 3_600_000;

/** The first pause after an attempt that failed; each one after it is twice as long, milliseconds. */
const firstPause = 5000;
const longestPause = 3_600_000;
/** Jitter of pauses, so that deliveries that failed together do not retry together. */
const jitter = 0.2;
/** Longest pause that a receiver may request, milliseconds. */
export const longestRetryAfter = 3_600_000;

/**
 * When a failed delivery is retried.
 * @param attempts so far, at least one
 * @param now milliseconds since 1970
 * @param expiresAt the time of the last attempt
 * @param random from 0 to 1
 * @returns milliseconds since 1970; null when there is no retry
 */
export function nextAttemptAt(attempts: number, now: number, expiresAt: number, random: number): number | null {
  if (now >= expiresAt) return null;
  const pause = Math.min(firstPause * 2 ** Math.min(attempts - 1, 20), longestPause);
  return Math.min(Math.round(now + pause * (1 - jitter + 2 * jitter * random)), expiresAt);
}

/**
 * Parses a header `Retry-After`, in seconds or as a date.
 * @param now milliseconds since 1970
 * @returns milliseconds from now, at most an hour; null when it is malformed
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), longestRetryAfter);
}
