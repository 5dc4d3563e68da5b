const recentDays = 30;

/** The time since when lists tell what a record was used for, ISO 8601. */
export function recentSince(): string {
  return new Date(Date.now() - recentDays * 86_400_000).toISOString();
}
