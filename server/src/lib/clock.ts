/** The present as ISO 8601 in UTC with milliseconds. */
export function now(): string {
  return new Date().toISOString();
}

/** A timestamp after (or before, when negative) the present, ISO 8601 in UTC. */
export function secondsFromNow(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
