import { invalidFields, type LoginStep, ParleyError, type Platform, problemError } from '@parley/sdk';
import { randomToken } from '../../lib/token.ts';
import { untilAborted } from '../../lib/waiting.ts';
import { extractSecrets, fillSecrets, type StoredSecrets } from '../secrets/secret-fields.ts';
import type { AdapterLogin } from './adapter-login.ts';

export interface AdapterLoginsOptions {
  /** From the start of a sign-in until it is forgotten, with its result, milliseconds. */
  lifetimeMs?: number;
  /** Most that are remembered at once. */
  maximum?: number;
}

type State = Omit<AdapterLogin, 'id'>;

interface Login {
  platform: Platform;
  /** What was filled in when it started, with defaults and without secrets. */
  config: Record<string, unknown>;
  state: State;
  /** Of a finished one. */
  result: StoredSecrets | null;
  /** Whether a bot is being stored with its result. */
  isUsed: boolean;
  end: AbortController;
  lifetime: NodeJS.Timeout;
}

const nothing: State = {
  state: 'starting',
  url: null,
  expires_at: null,
  message: null,
  adapter_config: null,
  account_id: null,
  account_name: null,
};
/** Longest link, UTF-16 units. */
const longestLink = 4096;
const running: readonly State['state'][] = ['starting', 'waiting', 'confirming'];

/**
 * Sign-ins that obtain the credentials of bots. They are in memory only: their secrets leave it with the bot that is
 * stored with them, and no client sees them.
 */
export class AdapterLogins {
  readonly #lifetimeMs: number;
  readonly #maximum: number;
  readonly #logins = new Map<string, Login>();

  constructor({ lifetimeMs = 10 * 60_000, maximum = 20 }: AdapterLoginsOptions = {}) {
    this.#lifetimeMs = lifetimeMs;
    this.#maximum = maximum;
  }

  /**
   * Follows the steps of a sign-in.
   * @param config what is filled in so far, with defaults and without secrets
   * @param steps of the platform, until the signal is aborted
   * @throws ParleyError `too_many_requests`
   */
  start(
    platform: Platform,
    config: Record<string, unknown>,
    steps: (signal: AbortSignal) => Promise<AsyncIterable<LoginStep>>,
  ): AdapterLogin {
    this.#makeRoom();
    const id = randomToken(192);
    const end = new AbortController();
    const lifetime = setTimeout(() => this.#forget(id, 'expired'), this.#lifetimeMs).unref();
    const login: Login = { platform, config, state: nothing, result: null, isUsed: false, end, lifetime };
    this.#logins.set(id, login);
    void follow(login, steps);
    return { id, ...login.state };
  }

  /** @throws ParleyError `not_found`, also for another platform's */
  get(adapter: string, id: string): AdapterLogin {
    return { id, ...this.#login(adapter, id).state };
  }

  /** Ends a sign-in, and forgets what it obtained. @throws ParleyError `not_found` */
  cancel(adapter: string, id: string): void {
    this.#login(adapter, id);
    this.#forget(id, 'cancelled');
  }

  /** Ends all. */
  close(): void {
    for (const id of [...this.#logins.keys()]) this.#forget(id, 'cancelled');
  }

  /**
   * Puts the secrets of a finished sign-in in the place of their masks.
   * @throws ParleyError `invalid_request` when it did not succeed with this platform, or was used
   */
  filled(adapter: string, id: string, config: Record<string, unknown>): Record<string, unknown> {
    const { platform, result } = this.#usable(adapter, id);
    return fillSecrets(platform.config, config, result);
  }

  /** What a finished sign-in obtained, with its secrets. @throws ParleyError `invalid_request` as {@link filled} */
  result(adapter: string, id: string): StoredSecrets {
    return this.#usable(adapter, id).result;
  }

  /**
   * Has a bot stored with the result of a sign-in, which then cannot be used again.
   * @throws ParleyError `invalid_request` as {@link filled}, or the error of `store`, after which it can
   */
  async use<Result>(id: string, store: () => Promise<Result>): Promise<Result> {
    this.begin(id);
    let isStored = false;
    try {
      const stored = await store();
      isStored = true;
      return stored;
    } finally {
      this.end(id, isStored);
    }
  }

  /** A bot is about to be stored with the result of a sign-in. @throws ParleyError `invalid_request` as {@link filled} */
  begin(id: string): void {
    const login = this.#logins.get(id);
    if (login === undefined || login.isUsed) throw unusable();
    login.isUsed = true;
  }

  /** What {@link begin} began has ended. @param isStored whether the bot was stored; otherwise the result can be used again */
  end(id: string, isStored: boolean): void {
    const login = this.#logins.get(id);
    if (login === undefined) return;
    login.isUsed = false;
    if (isStored) this.#forget(id, 'cancelled');
  }

  #usable(adapter: string, id: string): { platform: Platform; result: StoredSecrets } {
    const login = this.#logins.get(id);
    if (login?.result == null || login.isUsed || login.platform.name !== adapter) throw unusable();
    return { platform: login.platform, result: login.result };
  }

  #login(adapter: string, id: string): Login {
    const login = this.#logins.get(id);
    if (login?.platform.name !== adapter) throw problemError('platform_sign_in_not_found');
    return login;
  }

  #makeRoom(): void {
    if (this.#logins.size < this.#maximum) return;
    const useless = [...this.#logins].find(
      ([, { state, result }]) => !running.includes(state.state) && result === null,
    );
    if (useless === undefined) {
      throw problemError('too_many_platform_sign_ins');
    }
    this.#forget(useless[0], 'expired');
  }

  #forget(id: string, state: 'expired' | 'cancelled'): void {
    const login = this.#logins.get(id);
    if (login === undefined) return;
    this.#logins.delete(id);
    clearTimeout(login.lifetime);
    login.result = null;
    login.state = { ...nothing, state };
    login.end.abort(new ParleyError('cancelled', 'The sign-in has ended'));
  }
}

async function follow(login: Login, open: (signal: AbortSignal) => Promise<AsyncIterable<LoginStep>>): Promise<void> {
  const { signal } = login.end;
  let iterator: AsyncIterator<LoginStep> | null = null;
  try {
    iterator = (await untilAborted(open(signal), signal))[Symbol.asyncIterator]();
    while (running.includes(login.state.state)) {
      const { done, value } = await untilAborted(iterator.next(), signal);
      if (done) throw new ParleyError('platform_failed', 'The platform ended the sign-in without a result');
      take(login, value);
    }
  } catch (error) {
    if (signal.aborted) return;
    const message = error instanceof ParleyError ? error.message : 'The sign-in failed unexpectedly';
    login.state = { ...nothing, state: 'refused', message };
  } finally {
    void iterator?.return?.()?.catch(() => undefined);
  }
}

function take(login: Login, step: LoginStep): void {
  switch (step.state) {
    case 'waiting': {
      if (step.url.length > longestLink)
        throw new ParleyError('platform_failed', 'The link of the platform is too long');
      login.state = { ...nothing, state: 'waiting', url: step.url, expires_at: step.expires_at };
      return;
    }
    case 'done': {
      const { properties } = login.platform.config;
      const known = Object.entries(step.config).filter(([name]) => Object.hasOwn(properties, name));
      const filled = Object.fromEntries(known);
      const [masked, secrets] = extractSecrets(login.platform.config, { ...login.config, ...filled });
      login.result = { config: masked, secrets };
      const shown = known.map(([name]) => [name, (masked as Record<string, unknown>)[name]]);
      const { id = null, name = null } = step.account ?? {};
      const adapter_config = Object.fromEntries(shown) as Record<string, unknown>;
      login.state = { ...nothing, state: 'done', adapter_config, account_id: id, account_name: name };
      return;
    }
    case 'refused':
      login.state = { ...nothing, state: 'refused', message: step.message };
      return;
    default:
      login.state = { ...nothing, state: step.state };
  }
}

export function unusable(): ParleyError {
  return invalidFields([
    { path: 'login_id', message: 'is no sign-in that succeeded with this platform', rule: 'platformSignIn' },
  ]);
}
