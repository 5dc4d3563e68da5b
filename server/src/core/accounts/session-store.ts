import type { Account } from './account.ts';
import type { Session } from './session.ts';

export interface SessionStore {
  /**
   * Stores a session if its account's version is still `version`, and removes all that expired before it was made.
   * False when the password was changed in the meantime.
   */
  create(session: Session, version: number): Promise<boolean>;
  /** A session with its account; null when it has ended. It may have expired. */
  withAccount(uuid: string): Promise<{ session: Session; account: Account } | null>;
  /** Sessions of an account that expire after a timestamp (ISO 8601 UTC), most recently used first, at most `limit`. */
  list(accountUuid: string, expiringAfter: string, limit: number): Promise<Session[]>;
  /** False when the session has ended. */
  extend(uuid: string, expiresAt: string): Promise<boolean>;
  /** Writes the time of last use, unless a later one than `before` is stored. */
  touch(uuid: string, usedAt: string, before: string): Promise<void>;
  /** False when the account has no such session. */
  end(accountUuid: string, uuid: string): Promise<boolean>;
  /** Ends all sessions of an account but one. */
  endOthers(accountUuid: string, exceptUuid: string): Promise<void>;
}
