import type { Account } from './account.ts';

/** Failed attempts under one key (a person at an address, an address, a person). */
export interface Attempts {
  failures: number;
  /** ISO 8601 UTC; null while further attempts are allowed. */
  blocked_until: string | null;
  updated_at: string;
}

export interface AccountStore {
  first(): Promise<Account | null>;
  byUser(user: string): Promise<Account | null>;
  /** Stores the first account; false when there is one already, also when two calls race. */
  createFirst(account: Account): Promise<boolean>;
  /** Stores the first account or a further one; false when the name is taken. */
  create(account: Account): Promise<boolean>;
  /**
   * Sets password and recovery key, raises the version and ends all sessions, only if the version is still `version`.
   * False when somebody else was faster, so that a recovery key is used once.
   */
  changePassword(uuid: string, version: number, passwordHash: string, recoveryHash: string): Promise<boolean>;
  /** Reads and replaces the attempts under a key in one step. */
  updateAttempts(key: string, change: (attempts: Attempts | null) => Attempts): Promise<Attempts>;
  /** Forgets the attempts under these keys, and those that nothing was added to since a moment (ISO 8601 UTC). */
  clearAttempts(keys: string[], untouchedSince: string): Promise<void>;
}
