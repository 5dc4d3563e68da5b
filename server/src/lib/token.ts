import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random text of `bits` bits, safe in headers and addresses. */
export function randomToken(bits: number): string {
  return randomBytes(Math.ceil(bits / 8)).toString('base64url');
}

/** SHA-256 in hex: enough for secrets of high entropy, and what may be stored of them. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares two secrets in a time that tells nothing about where they differ. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());
}
