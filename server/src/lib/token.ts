import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random text of `bits` bits, safe in headers and addresses. */
export function randomToken(bits: number): string {
  return randomBytes(Math.ceil(bits / 8)).toString('base64url');
}

/** SHA-256 in hex: enough for secrets of high entropy, and what may be stored of them. */
export function fingerprint(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Compares two secrets in constant time. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
