/**
 * Notifications of changed credentials. The sessions of an account end or lose rights together, and API keys may depend
 * on the account that created them.
 */
export type CredentialChange = { session: string } | { account: string } | { apiKey: number };

type Watcher = (change: CredentialChange) => Promise<void>;

/** Notifies open connections that a credential ended, or that its rights changed. */
export class CredentialChanges {
  readonly #watchers: Watcher[] = [];
  readonly #ownWatchers: ((change: CredentialChange) => void)[] = [];

  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  /** Watches changes that were made here, and not those that other replicas tell. */
  watchOwn(watcher: (change: CredentialChange) => void): void {
    this.#ownWatchers.push(watcher);
  }

  /** Called after a change was stored. Resolves when every watcher has dealt with it. */
  async notify(change: CredentialChange): Promise<void> {
    for (const watcher of this.#ownWatchers) watcher(change);
    await this.apply(change);
  }

  /** Deals with a change that another replica stored. */
  async apply(change: CredentialChange): Promise<void> {
    await Promise.all(this.#watchers.map((watcher) => watcher(change)));
  }
}
