import type { Account } from './account.ts';

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
}
