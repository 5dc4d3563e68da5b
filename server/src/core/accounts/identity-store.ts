import type { Account } from './account.ts';

/** An identity at a provider. Never the e-mail address, which may be reassigned. */
export interface Identity {
  issuer: string;
  subject: string;
}

export type CreatedWithIdentity = 'created' | 'name-taken' | 'identity-taken' | 'no-admin';

export interface IdentityStore {
  accountOf(identity: Identity): Promise<Account | null>;
  /** When the account was linked with an identity of the issuer, ISO 8601 UTC; null when it is not. */
  linkedAt(accountUuid: string, issuer: string): Promise<string | null>;
  /** False when the identity belongs to an account, or the account has one of the issuer already. */
  link(accountUuid: string, identity: Identity, at: string): Promise<boolean>;
  /**
   * Makes an account with an identity; `name-taken` and `identity-taken` also when two calls race. `no-admin` before
   * there is a first account, which only set-up makes.
   */
  createAccount(account: Account, identity: Identity): Promise<CreatedWithIdentity>;
  /** False when the account has no identity of the issuer. */
  unlink(accountUuid: string, issuer: string): Promise<boolean>;
}
