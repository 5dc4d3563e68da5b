/** How long a key may be valid: days, a day that is chosen, or without end. */
export const expiryChoices = ['never', '30', '90', '365', 'own'] as const;
export type ExpiryChoice = (typeof expiryChoices)[number];

const dayMilliseconds = 86_400_000;
/** From how long before its end on a key is marked. */
const soon = 14 * dayMilliseconds;

/**
 * @param day the last day, `YYYY-MM-DD`, of which all is counted
 * @returns when it ends; null for never; undefined where the day is missing or over
 */
export function expiryOf(choice: ExpiryChoice, day: string, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'own') return new Date(now + Number(choice) * dayMilliseconds).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) || end.getTime() <= now ? undefined : end.toISOString();
}

/** How a key stands at a moment. */
export function expiryState(expiresAt: string | null, now: number): 'never' | 'valid' | 'soon' | 'expired' {
  if (expiresAt === null) return 'never';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left <= soon ? 'soon' : 'valid';
}
