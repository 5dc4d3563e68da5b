/** Longest pause that is observed, milliseconds. A platform that still limits the sender afterwards repeats it. */
const longestPause = 24 * 60 * 60 * 1000;

/**
 * The pause that a rate limit names, in whatever form a platform or a proxy in front of it writes it.
 * @param value seconds as a number or text, or an HTTP date
 * @param now milliseconds since 1970
 * @returns milliseconds, at least 1000 and at most a day; null when the value names no time
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter(value: unknown, now = Date.now()): number | null {
  const milliseconds = millisecondsOf(value, now);
  if (milliseconds === null) return null;
  return Math.min(longestPause, Math.max(1000, Math.ceil(milliseconds)));
}

function millisecondsOf(value: unknown, now: number): number | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value * 1000;
  if (typeof value !== 'string' || value.trim() === '') return null;
  if (/^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const date = /[a-z]|\d{4}-\d{2}-\d{2}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : date - now;
}
