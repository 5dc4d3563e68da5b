import { randomToken } from '../../lib/token.ts';

/** A key that resets the password of one account, once. */
export function newRecoveryKey(): string {
  return `rk_${randomToken(256)}`;
}
