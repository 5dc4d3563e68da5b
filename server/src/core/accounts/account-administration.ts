import { ParleyError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { hashPassword, type PasswordCost, usualPasswordCost } from '../../lib/password.ts';
import { fingerprint } from '../../lib/token.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { AccountStore } from './account-store.ts';
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

/** What the operator of the machine and admins may do to accounts that are not their own. */
export class AccountAdministration {
  readonly #store: AccountStore;
  readonly #passwordCost: PasswordCost;

  constructor(store: AccountStore, passwordCost = usualPasswordCost) {
    this.#store = store;
    this.#passwordCost = passwordCost;
  }

  /** Makes the first account or a further one. */
  async create(user: string, password: string, role: Role): Promise<AdministeredAccount> {
    const recoveryKey = newRecoveryKey();
    const account = {
      uuid: newUuid(),
      user: user.trim(),
      role,
      password_hash: await hashPassword(password, this.#passwordCost),
      recovery_hash: fingerprint(recoveryKey),
      version: 1,
      created_at: now(),
      updated_at: now(),
    };
    if (!(await this.#store.create(account))) {
      throw new ParleyError('conflict', `There is an account ${account.user} already`);
    }
    return { uuid: account.uuid, user: account.user, role: account.role, recovery_key: recoveryKey };
  }

  /** Sets password and recovery key, and ends all sessions of the account. */
  async resetPassword(user: string, password: string): Promise<AdministeredAccount> {
    const account = await this.#store.byUser(user.trim());
    if (account === null) throw new ParleyError('not_found', `There is no account ${user.trim()}`);
    const recoveryKey = newRecoveryKey();
    const hash = await hashPassword(password, this.#passwordCost);
    if (!(await this.#store.changePassword(account.uuid, account.version, hash, fingerprint(recoveryKey)))) {
      throw new ParleyError('conflict', 'The password was changed in the meantime');
    }
    return { uuid: account.uuid, user: account.user, role: account.role, recovery_key: recoveryKey };
  }
}
