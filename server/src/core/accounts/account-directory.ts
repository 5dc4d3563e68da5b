import { invalidFields, ParleyError, problemError } from '@parley/sdk';
import type { AccountRecord } from './account.ts';
import type { AccountStore, KeyHeir } from './account-store.ts';
import type { CredentialChanges } from './credential-changes.ts';
import type { Role } from './role.ts';

/** The accounts of the installation, as those who manage it see them. */
export class AccountDirectory {
  readonly #store: AccountStore;
  readonly #changes: CredentialChanges;

  constructor(store: AccountStore, changes: CredentialChanges) {
    this.#store = store;
    this.#changes = changes;
  }

  /** By name. */
  list(): Promise<AccountRecord[]> {
    return this.#store.records();
  }

  /** @throws ParleyError `not_found` */
  async get(uuid: string): Promise<AccountRecord> {
    return found((await this.list()).find((account) => account.uuid === uuid.toLowerCase()));
  }

  /** @throws ParleyError `not_found` */
  async byName(user: string): Promise<AccountRecord> {
    const account = (await this.list()).find((one) => one.user === user.trim());
    if (account === undefined) throw new ParleyError('not_found', `There is no account ${user.trim()}`);
    return account;
  }

  /**
   * Removes an account with its sessions.
   * @param heir who has the API keys that it made from now on; without one they are revoked
   * @throws ParleyError `not_found`, `last_admin` or `invalid_request`
   */
  async remove(uuid: string, heir: KeyHeir | null): Promise<void> {
    switch (await this.#store.remove(uuid.toLowerCase(), heir)) {
      case 'unknown':
        return void found(undefined);
      case 'last':
        throw new ParleyError('last_admin', 'The last admin account cannot be removed; make another admin first');
      case 'no-heir':
        throw invalidFields([{ path: 'api_keys', message: 'must be the uuid of another account', rule: 'missing' }]);
      case 'removed':
        await this.#changes.notify({ account: uuid.toLowerCase() });
    }
  }

  /**
   * Sets the role of an account, effective immediately: its connections end, and so do those of its API keys.
   * @throws ParleyError `not_found` or `last_admin`
   */
  async setRole(uuid: string, role: Role): Promise<void> {
    switch (await this.#store.setRole(uuid.toLowerCase(), role)) {
      case 'unknown':
        return void found(undefined);
      case 'last':
        throw new ParleyError('last_admin', 'The last admin cannot be made a member; make another admin first');
      case 'set':
        await this.#changes.notify({ account: uuid.toLowerCase() });
    }
  }
}

function found(account: AccountRecord | undefined): AccountRecord {
  if (account === undefined) throw problemError('account_not_found');
  return account;
}
