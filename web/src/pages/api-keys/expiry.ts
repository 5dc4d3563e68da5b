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
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) || end.getTime() <= now ? undefined : end.toISOString();
}

/** Whether a key is valid, about to expire or expired. */
export function expiryState(expiresAt: string | null, now: number): 'never' | 'valid' | 'soon' | 'expired' {
  if (expiresAt === null) return 'never';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left <= soon ? 'soon' : 'valid';
}
