import { ParleyError } from '@parley/sdk';
import { randomToken, sameSecret } from '../../lib/token.ts';
import type { AccountService, AccountWithRecoveryKey } from './account-service.ts';

/** The fields of the first account. */
export interface SetUp {
  token: string;
  /** The set-up page, with the token in the fragment, which a browser sends to no server. */
  link: string;
}

/** Keeps the set-up token where only the operator of the machine reads it. */
export interface SetUpTokenStore {
  /** @param link the address that carries the token */
  write(token: string, link: string): void;
  /** Succeeds when there is none. */
  remove(): void;
}

/** Creates the first account for the owner of the set-up token. */
export class FirstAccount {
  readonly #accounts: AccountService;
  readonly #store: SetUpTokenStore;
  readonly #token: string;

  /** @param configuredToken null for a new one */
  constructor(accounts: AccountService, store: SetUpTokenStore, configuredToken: string | null) {
    this.#accounts = accounts;
    this.#store = store;
    this.#token = configuredToken ?? randomToken(192);
  }

  /**
   * Opens the set-up: until there is an account, the operator can look the token up.
   * @param address of the console, without a slash at the end
   * @returns null when there is an account
   */
  async open(address: string): Promise<SetUp | null> {
    if (await this.#accounts.isInitialized()) {
      this.#store.remove();
      return null;
    }
    const link = `${address}/set-up#token=${encodeURIComponent(this.#token)}`;
    this.#store.write(this.#token, link);
    return { token: this.#token, link };
  }

  /** Invalidates the token. */
  close(): void {
    this.#store.remove();
  }

  /**
   * @param token null when the caller need not know it
   * @throws ParleyError `already_initialized` or `setup_token_required`
   */
  async create(user: string, password: string, token: string | null): Promise<AccountWithRecoveryKey> {
    if (await this.#accounts.isInitialized())
      throw new ParleyError('already_initialized', 'System already initialized');
    if (token !== null && !sameSecret(token, this.#token)) {
      throw new ParleyError(
        'setup_token_required',
        'The first account needs the set-up token. Open the link that the start printed (on the server, ' +
          './parley set-up-link prints it again), or make the account there with ./parley user create <name> and sign in.',
      );
    }
    const account = await this.#accounts.initialize(user, password);
    this.#store.remove();
    return account;
  }
}
