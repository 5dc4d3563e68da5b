import { ParleyError, problemError } from '@parley/sdk';
import { hashPassword, type PasswordCost, verifyPassword } from '../../lib/password.ts';
import { fingerprint, randomToken, sameSecret } from '../../lib/token.ts';
import type { Account, AccountInfo } from './account.ts';
import type { AccountStore } from './account-store.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { CredentialChanges } from './credential-changes.ts';
import { newAccount } from './new-account.ts';
import { newRecoveryKey } from './recovery-key.ts';
import type { SecondFactorService } from './second-factor-service.ts';
import type { Session, SessionOrigin } from './session.ts';
import type { SessionService } from './session-service.ts';

export interface AccountServiceOptions {
  allowModifyLoginInfo: boolean;
  /** What a new hash takes; a secure cost when left out. */
  passwordCost?: PasswordCost | undefined;
}

export interface AccountWithRecoveryKey {
  /** Of the account. */
  uuid: string;
  /** Resets the password once. It is shown this once. */
  recovery_key: string;
}

/** Credentials for signing in. */
export interface SignIn {
  user: string;
  password: string;
  /** Code of an authenticator app, or a recovery code; for accounts that require one. */
  code?: string;
}

/** Setting up the first account, signing in, and changing passwords. */
export class AccountService {
  readonly #store: AccountStore;
  readonly #sessions: SessionService;
  readonly #attempts: AttemptLimit;
  readonly #secondFactors: SecondFactorService;
  readonly #changes: CredentialChanges;
  readonly #options: AccountServiceOptions;
  /** Verified against when there is no such user or no password, so that both responses take the same time. */
  #decoyHash: string | undefined;

  constructor(
    store: AccountStore,
    sessions: SessionService,
    attempts: AttemptLimit,
    secondFactors: SecondFactorService,
    changes: CredentialChanges,
    options: AccountServiceOptions,
  ) {
    this.#store = store;
    this.#sessions = sessions;
    this.#attempts = attempts;
    this.#secondFactors = secondFactors;
    this.#changes = changes;
    this.#options = options;
  }

  async isInitialized(): Promise<boolean> {
    return (await this.#store.first()) !== null;
  }

  /** Makes the first account. */
  async initialize(user: string, password: string): Promise<AccountWithRecoveryKey> {
    if (await this.isInitialized()) throw new ParleyError('already_initialized', 'System already initialized');
    const password_hash = await this.#hash(password);
    const { account, recoveryKey } = newAccount({ user: user.trim(), role: 'admin', password_hash });
    if (!(await this.#store.createFirst(account))) {
      throw new ParleyError('already_initialized', 'System already initialized');
    }
    return { uuid: account.uuid, recovery_key: recoveryKey };
  }

  /**
   * @returns a user token and the session that it is for
   * @throws ParleyError `invalid_credentials`, `second_factor_required`, `invalid_code` or `too_many_requests`
   */
  async signIn(
    { user, password, code }: SignIn,
    origin: SessionOrigin,
  ): Promise<{ account: Account; session: Session; token: string }> {
    const succeeded = await this.#attempts.begin('sign-in', user, origin.address);
    const account = await this.#store.byUser(user.trim());
    const matches = await verifyPassword(password, account?.password_hash || (await this.#decoy()));
    if (account === null || !matches) throw invalidSignIn();
    // Without its code, a right password counts as a failed attempt as well: else it could clear those of guessed codes.
    await this.#secondFactors.check(account.uuid, code);
    const started = await this.#sessions.begin(account, origin);
    if (started === null) throw invalidSignIn();
    await succeeded(account.uuid);
    return { account, ...started };
  }

  /**
   * Ends every session of the account.
   * @param address of the user, for the limit of attempts
   */
  async changePassword(account: Account, currentPassword: string, newPassword: string, address: string): Promise<void> {
    await this.#confirmPassword(account, currentPassword, address);
    const hash = await this.#hash(newPassword);
    if (!(await this.#store.changePassword(account, hash, account.recovery_hash))) {
      throw problemError('credentials_changed');
    }
    await this.#changes.notify({ account: account.uuid });
  }

  /**
   * Replaces the recovery key. It shares the limit of attempts with changing the password.
   * @param address of the user, for that limit
   * @returns the new key, this once
   * @throws ParleyError `forbidden`, `invalid_credentials`, `too_many_requests` or `conflict`
   */
  async createRecoveryKey(account: Account, currentPassword: string, address: string): Promise<string> {
    await this.#confirmPassword(account, currentPassword, address);
    const recoveryKey = newRecoveryKey();
    if (!(await this.#store.changeRecoveryKey(account, fingerprint(recoveryKey)))) {
      throw problemError('credentials_changed');
    }
    return recoveryKey;
  }

  /** Ends every session of the account. The recovery key that was used becomes invalid. */
  async resetPassword(
    user: string,
    recoveryKey: string,
    newPassword: string,
    address: string,
  ): Promise<AccountWithRecoveryKey> {
    const succeeded = await this.#attempts.begin('reset-password', user, address);
    const account = await this.#store.byUser(user.trim());
    const matches = sameSecret(fingerprint(recoveryKey.trim()), account?.recovery_hash ?? '');
    if (account === null || !matches) throw new ParleyError('invalid_credentials', 'Invalid user or recovery key');
    const next = newRecoveryKey();
    const hash = await this.#hash(newPassword);
    if (!(await this.#store.changePassword(account, hash, fingerprint(next)))) {
      throw new ParleyError('invalid_credentials', 'Invalid user or recovery key');
    }
    await this.#changes.notify({ account: account.uuid });
    await succeeded(account.uuid);
    return { uuid: account.uuid, recovery_key: next };
  }

  /** The settings of the sign-in page, public. */
  async publicInfo(): Promise<Pick<AccountInfo, 'account_type' | 'has_password'> | null> {
    const account = await this.#store.first();
    return account === null ? null : { account_type: 'local', has_password: account.password_hash !== '' };
  }

  /** Allows a signed-in user to change credentials. */
  async #confirmPassword(account: Account, password: string, address: string): Promise<void> {
    if (!this.#options.allowModifyLoginInfo) {
      throw problemError('password_change_disabled');
    }
    const succeeded = await this.#attempts.begin('change-password', account.user, address);
    if (!(await verifyPassword(password, account.password_hash))) {
      throw problemError('wrong_current_password');
    }
    await succeeded(account.uuid);
  }

  #hash(password: string): Promise<string> {
    return hashPassword(password, this.#options.passwordCost);
  }

  async #decoy(): Promise<string> {
    this.#decoyHash ??= await this.#hash(randomToken(128));
    return this.#decoyHash;
  }
}

function invalidSignIn(): ParleyError {
  return new ParleyError('invalid_credentials', 'Invalid username or password');
}
