let formatted = { milliseconds: 0, text: '' };

/** The present as ISO 8601 in UTC with milliseconds. */
export function now(): string {
  const milliseconds = Date.now();
  // Several timestamps of a message are of the same millisecond.
  if (milliseconds !== formatted.milliseconds) formatted = { milliseconds, text: new Date(milliseconds).toISOString() };
  return formatted.text;
}

/** A timestamp after (or before, when negative) the present, ISO 8601 in UTC. */
export function secondsFromNow(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
