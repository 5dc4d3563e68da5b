import { ParleyError, problemError } from '@parley/sdk';
import { defaultPasswordCost, hashPassword, type PasswordCost } from '../../lib/password.ts';
import { fingerprint } from '../../lib/token.ts';
import type { AccountStore } from './account-store.ts';
import { newAccount } from './new-account.ts';
import { newRecoveryKey } from './recovery-key.ts';
import type { Role } from './role.ts';

/** An account as its administrator gets to know it. */
export interface AdministeredAccount {
  uuid: string;
  user: string;
  role: Role;
  /** Shown this once. */
  recovery_key: string;
}

/** Changes to other accounts, by the operator and by admins. */
export class AccountAdministration {
  readonly #store: AccountStore;
  readonly #passwordCost: PasswordCost;

  constructor(store: AccountStore, passwordCost = defaultPasswordCost) {
    this.#store = store;
    this.#passwordCost = passwordCost;
  }

  /** Makes the first account or a further one. */
  async create(user: string, password: string, role: Role): Promise<AdministeredAccount> {
    const password_hash = await hashPassword(password, this.#passwordCost);
    const { account, recoveryKey } = newAccount({ user: user.trim(), role, password_hash });
    if (!(await this.#store.create(account))) {
      throw problemError('account_exists', { user: account.user });
    }
    return { uuid: account.uuid, user: account.user, role: account.role, recovery_key: recoveryKey };
  }

  /** Sets password and recovery key, and ends all sessions of the account. */
  async resetPassword(user: string, password: string): Promise<AdministeredAccount> {
    const account = await this.#store.byUser(user.trim());
    if (account === null) throw new ParleyError('not_found', `There is no account ${user.trim()}`);
    const recoveryKey = newRecoveryKey();
    const hash = await hashPassword(password, this.#passwordCost);
    if (!(await this.#store.changePassword(account, hash, fingerprint(recoveryKey)))) {
      throw problemError('password_changed');
    }
    return { uuid: account.uuid, user: account.user, role: account.role, recovery_key: recoveryKey };
  }
}
