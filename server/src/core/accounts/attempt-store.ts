/** Failed attempts under one key (an account at a network, a network, an account). */
export interface Attempts {
  failures: number;
  /** ISO 8601 UTC; null while further attempts are allowed. */
  blocked_until: string | null;
  updated_at: string;
}

/** Remembers who failed to prove who they are, and from where accounts signed in. Moments are ISO 8601 UTC. */
export interface AttemptStore {
  /** The attempts under these keys; those without any are left out. Writes nothing. */
  read(keys: string[]): Promise<Attempts[]>;
  /** Reads and replaces the attempts under a key in one step. */
  update(key: string, change: (attempts: Attempts | null) => Attempts): Promise<Attempts>;
  clear(keys: string[]): Promise<void>;
  /** Forgets attempts that nothing was added to since a moment. @returns how many */
  prune(untouchedSince: string, limit: number): Promise<number>;
  /** @param user name of the account, which need not exist */
  hasSignedIn(user: string, network: string, since: string): Promise<boolean>;
  recordSignIn(accountUuid: string, network: string, timestamp: string): Promise<void>;
  /** Forgets from where accounts signed in last before a moment. @returns how many */
  pruneSignIns(before: string, limit: number): Promise<number>;
}
