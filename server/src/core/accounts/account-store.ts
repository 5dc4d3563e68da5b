import type { Account, AccountRecord } from './account.ts';
import type { Role } from './role.ts';

/** Who has the API keys of a removed account: another account, or the installation as a whole when it is null. */
export interface KeyHeir {
  account_uuid: string | null;
}

/** The credentials of an account when a change of them began. */
export type CredentialState = Pick<Account, 'uuid' | 'version' | 'recovery_hash'>;

export interface AccountStore {
  first(): Promise<Account | null>;
  byUser(user: string): Promise<Account | null>;
  /** Every account, by name. */
  records(): Promise<AccountRecord[]>;
  /** Stores the first account; false when there is one already, also when two calls race. */
  createFirst(account: Account): Promise<boolean>;
  /** Stores the first account or a further one; false when the name is taken. */
  create(account: Account): Promise<boolean>;
  /**
   * Sets password and recovery key, increments the version and ends all sessions. False after a concurrent change of
   * either, so that a recovery key is used once and never after it was replaced.
   */
  changePassword(before: CredentialState, passwordHash: string, recoveryHash: string): Promise<boolean>;
  /** Replaces the recovery key; sessions last. False after a concurrent change of password or recovery key. */
  changeRecoveryKey(before: CredentialState, recoveryHash: string): Promise<boolean>;
  /**
   * Removes an account, its sessions and, unless they get a new owner, its API keys. Never removes the last admin, also
   * when several are removed or demoted concurrently.
   */
  remove(uuid: string, heir: KeyHeir | null): Promise<'removed' | 'unknown' | 'last' | 'no-heir'>;
  /** Sets what an account may do. Not of the last admin, also when several are removed or demoted at the same time. */
  setRole(uuid: string, role: Role): Promise<'set' | 'unknown' | 'last'>;
}
