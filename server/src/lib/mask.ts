/** The character for the hidden part; no real key contains it. */
export const maskSign = '…';

/** What may be shown of a secret: its first three and last four characters when it is long enough to keep the rest secret. */
export function mask(secret: string): string {
  if (secret === '') return '';
  if (secret.length < 16) return maskSign;
  return `${secret.slice(0, 3)}${maskSign}${secret.slice(-4)}`;
}

/** Whether a text looks like the output of {@link mask}. */
export function isMasked(text: string): boolean {
  return text.includes(maskSign);
}
