/** Failed attempts under one key (an account at a network, a network, an account). */
export interface Attempts {
  failures: number;
  /** ISO 8601 UTC; null while further attempts are allowed. */
  blocked_until: string | null;
  updated_at: string;
}

/** Failed sign-in attempts, and the networks from which accounts signed in. Timestamps are ISO 8601 UTC. */
export interface AttemptStore {
  /** The attempts under these keys; keys without any are omitted. Read-only. */
  read(keys: string[]): Promise<Attempts[]>;
  /** Reads and replaces the attempts under a key in one step. */
  update(key: string, change: (attempts: Attempts | null) => Attempts): Promise<Attempts>;
  clear(keys: string[]): Promise<void>;
  /** Removes attempts without a new failure since a timestamp. @returns how many */
  prune(untouchedSince: string, limit: number): Promise<number>;
  /** @param user name of the account, which need not exist */
  hasSignedIn(user: string, network: string, since: string): Promise<boolean>;
  recordSignIn(accountUuid: string, network: string, timestamp: string): Promise<void>;
  /** Removes networks with the last sign-in before a timestamp. @returns how many */
  pruneSignIns(before: string, limit: number): Promise<number>;
}
