import { ParleyError, problemError } from '@parley/sdk';
import { now, present } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { fingerprint } from '../../lib/token.ts';
import type { Account } from './account.ts';
import type { IdentityProvider, PendingQuestion, ProvenIdentity } from './identity-provider.ts';
import type { IdentityStore } from './identity-store.ts';
import { newAccount } from './new-account.ts';
import type { Session, SessionOrigin } from './session.ts';
import type { SessionService } from './session-service.ts';

/** How long the answer of the provider may take, seconds. */
export const questionSeconds = 600;
const context = 'identity-question';
/** Longest name of a new account, characters. */
const nameLength = 200;

export interface UsedStateStore {
  /**
   * Stores the state of a sign-in that was answered, unless it is stored.
   * @param digest of the state
   * @param expiresAt ISO 8601 UTC
   * @returns whether it was not
   */
  add(digest: string, expiresAt: string): Promise<boolean>;
  /** @returns how many it removed */
  removeExpired(at: string, limit: number): Promise<number>;
}

export interface IdentityServiceParts {
  /** Null when none is configured. */
  provider: IdentityProvider | null;
  /** Display name of the provider. */
  name: string;
  store: IdentityStore;
  usedStates: UsedStateStore;
  sessions: SessionService;
  secrets: SecretBox;
  /** Whether an identity that belongs to no account gets one, as a member. */
  createsAccounts: boolean;
}

/** The state that the browser holds, encrypted. */
interface SealedState extends PendingQuestion {
  /** The account that is to be linked; null for signing in. */
  account_uuid: string | null;
  expires_at: number;
}

/** Signing in with an identity provider (OpenID Connect), and the link between its identities and accounts. */
export class IdentityService {
  readonly #parts: IdentityServiceParts;

  constructor(parts: IdentityServiceParts) {
    this.#parts = parts;
  }

  /** Display name of the provider; null when none is configured. */
  get providerName(): string | null {
    return this.#parts.provider === null ? null : this.#parts.name;
  }

  /** @returns when the account was linked, ISO 8601 UTC; null when it is not */
  async linkedAt(accountUuid: string): Promise<string | null> {
    const { provider, store } = this.#parts;
    return provider === null ? null : await store.linkedAt(accountUuid, provider.issuer);
  }

  /**
   * @param accountUuid the account to link; null for signing in
   * @returns the address to redirect the browser to, and the state that it holds until it returns
   * @throws ParleyError `not_found` or `identity_provider_failed`
   */
  async ask(accountUuid: string | null, redirectUri: string): Promise<{ url: string; kept: string }> {
    const { url, question } = await this.#provider().ask(redirectUri);
    const state: SealedState = {
      ...question,
      account_uuid: accountUuid,
      expires_at: present() + questionSeconds * 1000,
    };
    return { url, kept: this.#parts.secrets.seal(JSON.stringify(state), context) };
  }

  /**
   * @param sealed the state from {@link ask}
   * @returns the same as signing in with a password, and whether the account is new
   * @throws ParleyError `invalid_request`, `identity_unknown` or `identity_provider_failed`
   */
  async signIn(
    answer: string,
    sealed: string | undefined,
    origin: SessionOrigin,
  ): Promise<{ account: Account; session: Session; token: string; isNew: boolean }> {
    const proven = await this.#read(answer, sealed, null);
    const known = await this.#parts.store.accountOf(proven.identity);
    const account = known ?? (await this.#create(proven));
    const started = await this.#parts.sessions.begin(account, origin);
    if (started === null) throw unknownIdentity();
    return { account, ...started, isNew: known === null };
  }

  /** @throws ParleyError `invalid_request`, `identity_provider_failed`, or `conflict` when either is linked already */
  async link(account: Account, answer: string, sealed: string | undefined): Promise<void> {
    const { identity } = await this.#read(answer, sealed, account.uuid);
    if (await this.#parts.store.link(account.uuid, identity, now())) return;
    throw problemError('identity_linked');
  }

  /** @throws ParleyError `not_found`, or `conflict` for an account that has no password to sign in with */
  async unlink(account: Account): Promise<void> {
    if (account.password_hash === '') {
      throw problemError('no_password');
    }
    if (!(await this.#parts.store.unlink(account.uuid, this.#provider().issuer))) {
      throw problemError('identity_not_linked');
    }
  }

  /** Forgets answered sign-ins that have expired. @returns how many */
  prune(limit: number): Promise<number> {
    return this.#parts.usedStates.removeExpired(now(), limit);
  }

  #provider(): IdentityProvider {
    const { provider } = this.#parts;
    if (provider === null) throw problemError('no_identity_provider');
    return provider;
  }

  async #read(answer: string, sealed: string | undefined, accountUuid: string | null): Promise<ProvenIdentity> {
    const provider = this.#provider();
    const question = this.#opened(sealed);
    if (question === null || question.account_uuid !== accountUuid || question.expires_at <= present()) {
      throw problemError('identity_sign_in_expired');
    }
    // On no replica again, whatever comes of it.
    const isNew = await this.#parts.usedStates.add(
      fingerprint(question.state),
      new Date(question.expires_at).toISOString(),
    );
    if (!isNew) throw problemError('identity_sign_in_expired');
    return provider.read(answer, question);
  }

  #opened(sealed: string | undefined): SealedState | null {
    try {
      return sealed === undefined ? null : (JSON.parse(this.#parts.secrets.open(sealed, context)) as SealedState);
    } catch {
      return null;
    }
  }

  async #create({ identity, name }: ProvenIdentity): Promise<Account> {
    if (!this.#parts.createsAccounts) throw unknownIdentity();
    const { account } = newAccount({ user: name.slice(0, nameLength), role: 'member', password_hash: '' });
    // A name that another account has proves nothing: this account gets a distinct one.
    const mark = fingerprint(`${identity.issuer} ${identity.subject}`).slice(0, 12);
    for (const user of [account.user, `${account.user} (${mark})`]) {
      const result = await this.#parts.store.createAccount({ ...account, user }, identity);
      if (result === 'created') return { ...account, user };
      if (result === 'no-admin') {
        throw problemError('no_account_yet');
      }
      // Another request with the same identity was faster.
      if (result === 'identity-taken') return (await this.#parts.store.accountOf(identity)) ?? refuse();
    }
    return refuse();
  }
}

function refuse(): never {
  throw unknownIdentity();
}

function unknownIdentity(): ParleyError {
  return new ParleyError(
    'identity_unknown',
    'No account is linked with this identity. Sign in with your password and link it on the page of your account.',
  );
}
