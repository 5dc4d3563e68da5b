/** Validity of a key: days, a custom date, or unlimited. */
export const expiryChoices = ['never', '30', '90', '365', 'own'] as const;
export type ExpiryChoice = (typeof expiryChoices)[number];

const dayMs = 86_400_000;
/** How long before its expiry a key is marked. */
const soon = 14 * dayMs;

/**
 * @param day the last day, `YYYY-MM-DD`, inclusive
 * @returns the expiry; null for never; undefined if the day is missing or past
 */
export function expiryOf(choice: ExpiryChoice, day: string, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'own') return new Date(now + Number(choice) * dayMs).toISOString();
  // A day has no last hour that is the same everywhere: clocks that change at midnight show the last one twice.
  const next = new Date(`${day}T12:00:00`);
  next.setDate(next.getDate() + 1);
  const end = next.setHours(0, 0, 0, 0) - 1000;
  return Number.isNaN(end) || end <= now ? undefined : new Date(end).toISOString();
}

/** Whether a key is valid, about to expire or expired. */
export function expiryState(expiresAt: string | null, now: number): 'never' | 'valid' | 'soon' | 'expired' {
  if (expiresAt === null) return 'never';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left <= soon ? 'soon' : 'valid';
}
