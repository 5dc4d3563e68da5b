import { now } from '../../lib/clock.ts';
import { fingerprint } from '../../lib/token.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Account } from './account.ts';
import { newRecoveryKey } from './recovery-key.ts';

/**
 * An account that is not stored yet, and its recovery key, of which the account holds the hash alone.
 * @param given `password_hash` is empty for an account without a password
 */
export function newAccount(given: Pick<Account, 'user' | 'role' | 'password_hash'>): {
  account: Account;
  recoveryKey: string;
} {
  const recoveryKey = newRecoveryKey();
  const createdAt = now();
  const account = {
    ...given,
    uuid: newUuid(),
    recovery_hash: fingerprint(recoveryKey),
    // Without a password there is nothing to recover: the key is not shown.
    recovery_key_created_at: given.password_hash === '' ? null : createdAt,
    version: 1,
    created_at: createdAt,
    updated_at: createdAt,
  };
  return { account, recoveryKey };
}
