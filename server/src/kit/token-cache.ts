import { untilAborted } from '../lib/waiting.ts';

/** An access token of a platform. */
export interface AccessToken {
  token: string;
  /** How long it is valid from now on, milliseconds. */
  validMs: number;
}

export interface TokenCacheOptions {
  /** Fetches a new token. It should give up by itself after some time. */
  fetchToken: () => Promise<AccessToken>;
  /** How long before it expires a token is replaced, milliseconds; at most half of its validity. Default 5 minutes. */
  marginMs?: number;
  /** After a failure, its error is thrown again for this time instead of asking the platform, milliseconds. Default 1000. */
  pauseMs?: number;
  /** Milliseconds since 1970. Default: the clock. */
  now?: () => number;
}

/** The access token of one account: fetched once for all callers, and again before it expires. */
export class TokenCache {
  readonly #options: Required<TokenCacheOptions>;
  #current: { token: string; until: number } | null = null;
  #failure: { error: unknown; until: number } | null = null;
  #pending: Promise<string> | null = null;

  constructor(options: TokenCacheOptions) {
    this.#options = { marginMs: 300_000, pauseMs: 1000, now: Date.now, ...options };
  }

  /**
   * The valid token.
   * @param signal ends the waiting of this caller only
   * @throws the error of `fetchToken`, or the signal's reason
   */
  async get(signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    const time = this.#options.now();
    if (this.#current !== null && time < this.#current.until) return this.#current.token;
    if (this.#failure !== null && time < this.#failure.until) throw this.#failure.error;
    this.#pending ??= this.#refresh().finally(() => {
      this.#pending = null;
    });
    return signal === undefined ? this.#pending : untilAborted(this.#pending, signal);
  }

  /** The platform refused a token: the next call fetches another one, unless that has happened already. */
  invalidate(token: string): void {
    if (this.#current?.token === token) this.#current = null;
  }

  async #refresh(): Promise<string> {
    const { fetchToken, marginMs, pauseMs, now } = this.#options;
    // Its validity begins when the platform made it, at the latest now.
    const asked = now();
    try {
      const { token, validMs } = await fetchToken();
      this.#current = { token, until: asked + validMs - Math.min(marginMs, validMs / 2) };
      this.#failure = null;
      return token;
    } catch (error) {
      this.#failure = { error, until: now() + pauseMs };
      throw error;
    }
  }
}
