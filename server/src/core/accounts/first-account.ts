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

/** Keeps the set-up token for all replicas, sealed. */
export interface SharedSetUpToken {
  /** @returns the stored token; `made` when there was none, which is stored then */
  settle(made: string): Promise<string>;
  /** Succeeds when there is none. */
  remove(): Promise<void>;
  /** Whether no other replica has it. */
  isOwn(): Promise<boolean>;
}

/** Creates the first account for the owner of the set-up token. */
export class FirstAccount {
  readonly #accounts: AccountService;
  readonly #store: SetUpTokenStore;
  readonly #shared: SharedSetUpToken;
  readonly #configuredToken: string | null;

  /** @param configuredToken null for one that all replicas share */
  constructor(
    accounts: AccountService,
    { files, shared }: { files: SetUpTokenStore; shared: SharedSetUpToken },
    configuredToken: string | null,
  ) {
    this.#accounts = accounts;
    this.#store = files;
    this.#shared = shared;
    this.#configuredToken = configuredToken;
  }

  /**
   * Opens the set-up: until there is an account, the operator can look the token up.
   * @param address of the console, without a slash at the end
   * @returns null when there is an account
   */
  async open(address: string): Promise<SetUp | null> {
    if (await this.#accounts.isInitialized()) {
      await this.#remove();
      return null;
    }
    // Each start makes another one, as a process that was killed leaves its file behind; but one that others have printed stays.
    if (await this.#shared.isOwn()) await this.#shared.remove();
    const token = await this.#token();
    const link = `${address}/set-up#token=${encodeURIComponent(token)}`;
    this.#store.write(token, link);
    return { token, link };
  }

  /** Removes the token from this machine. */
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
    if (token !== null && !sameSecret(token, await this.#token())) {
      throw new ParleyError(
        'setup_token_required',
        'The first account needs the set-up token. Open the link that the start printed (on the server, ' +
          './parley set-up-link prints it again), or make the account there with ./parley user create <name> and sign in.',
      );
    }
    const account = await this.#accounts.initialize(user, password);
    await this.#remove();
    return account;
  }

  async #token(): Promise<string> {
    return this.#configuredToken ?? (await this.#shared.settle(randomToken(192)));
  }

  async #remove(): Promise<void> {
    this.#store.remove();
    await this.#shared.remove();
  }
}
