import { DeliveryError, type DeliveryErrorOptions } from '../../../src/delivery-error.ts';
import { ParleyError, type Reason } from '../../../src/errors.ts';
import type { PlatformContext } from '../../../src/platform.ts';
import type { Shared } from './config.ts';

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH';
  path: string;
  json?: unknown;
  body?: Uint8Array;
  /** It may be repeated even if it was carried out. */
  isRepeatable?: boolean;
}

const reasons: Record<string, Reason> = {
  unknown_chat: 'unknown_target',
  window_closed: 'window_closed',
  too_many: 'quota',
  reply_over: 'reply_expired',
};

type ApiContext = Pick<PlatformContext, 'fetch'> & Partial<Pick<PlatformContext, 'logger'>>;

/** Calls the platform, with an access token that is fetched once for all callers. */
export class InventedApi {
  readonly #shared: Shared;
  readonly #context: ApiContext;
  readonly #closed: AbortSignal;
  #token: Promise<string> | null = null;

  constructor(shared: Shared, context: ApiContext, closed: AbortSignal) {
    this.#shared = shared;
    this.#context = context;
    this.#closed = closed;
  }

  /** @throws DeliveryError; ParleyError `platform_unauthorized`, `address_not_allowed` */
  async call<Result = Record<string, unknown>>(call: Call): Promise<Result> {
    const token = this.token();
    try {
      return (await this.#request(call, await token)) as Result;
    } catch (error) {
      if (!(error instanceof ExpiredToken)) throw error;
      if (this.#token === token || this.#shared.has('a token for each caller')) this.#token = null;
      return (await this.#request(call, await this.token())) as Result;
    }
  }

  token(): Promise<string> {
    this.#token ??= this.#fetchToken().catch((error: unknown) => {
      this.#token = null;
      throw error;
    });
    return this.#token;
  }

  /** A response with its body, for content. The address must be of the platform, or public. */
  async open(url: string, signal: AbortSignal): Promise<Response> {
    const fetch = this.#shared.has('fetches private addresses') ? globalThis.fetch : this.#context.fetch;
    const headers = { authorization: `Bearer ${await this.token()}` };
    return fetch(url, { headers, signal: AbortSignal.any([signal, this.#closed]), redirect: 'error' }).catch(
      (error: unknown) => {
        throw this.#failureOf(error, true);
      },
    );
  }

  async #fetchToken(): Promise<string> {
    const { account, secret } = this.#shared.settings;
    const json = { account, secret };
    if (this.#shared.has('logs the secret')) this.#context.logger?.info(json, 'a new token');
    const { token } = await this.#request({ path: '/token', json, isRepeatable: true }, '');
    return String(token);
  }

  async #request(call: Call, token: string): Promise<Record<string, unknown>> {
    const { settings, timing, has } = this.#shared;
    const { method = 'POST', path, json, body = JSON.stringify(json) } = call;
    const fetch = has('uses the global fetch') ? globalThis.fetch : this.#context.fetch;
    const init: RequestInit = {
      method,
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([this.#closed, AbortSignal.timeout(timing.call)]),
      redirect: 'error',
    };
    let response: Response;
    let content: unknown;
    try {
      const withBody = method === 'GET' ? init : { ...init, body: body as Exclude<typeof body, Uint8Array> };
      response = await fetch(settings.address + path, withBody);
      content = await response.json().catch((error: unknown) => {
        if (error instanceof SyntaxError) return null;
        throw error;
      });
    } catch (error) {
      throw this.#failureOf(error, call.isRepeatable ?? method === 'GET');
    }
    if (response.ok && typeof content === 'object' && content !== null) return content as Record<string, unknown>;
    throw this.#refusalOf(response, content, call.isRepeatable ?? false);
  }

  /** A call without a response. Nothing of the error is shown but its code: a library may put addresses into it. */
  #failureOf(error: unknown, isRepeatable: boolean): ParleyError {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof ParleyError && cause !== this.#closed.reason) return cause;
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED') return new DeliveryError('not_sent', 'platform_failed', `Not reachable (${code})`);
    }
    return new DeliveryError('unknown', 'platform_failed', 'The platform did not respond', { isRepeatable });
  }

  #refusalOf({ status, headers }: Response, content: unknown, isRepeatable: boolean): Error {
    const { code, message } = (content ?? {}) as { code?: unknown; message?: unknown };
    if (code === 'token_expired') return new ExpiredToken();
    if (code === 'bad_credentials') return new ParleyError('platform_unauthorized', 'The platform refuses the secret');
    if (code === 'rate_limited') return this.#limitOf(headers.get('retry-after'));
    if (typeof code !== 'string' || status >= 500) {
      return new DeliveryError('unknown', 'platform_failed', `The platform failed (${status})`, { isRepeatable });
    }
    return new DeliveryError('refused', reasons[code] ?? 'platform_failed', `${code}: ${String(message)}`);
  }

  /** @param after seconds or a date; null if the platform named none */
  #limitOf(after: string | null): DeliveryError {
    const { has } = this.#shared;
    const milliseconds = /^\d+$/.test(after ?? '') ? Number(after) * 1000 : Date.parse(after ?? '') - Date.now();
    const pauseMs = Number.isNaN(milliseconds) || has('ignores the time of a rate limit') ? null : milliseconds;
    const options: DeliveryErrorOptions = { rateLimit: { pauseMs, scope: 'bot' } };
    if (has('rate limit is a refusal')) return new DeliveryError('refused', 'platform_failed', 'Refused');
    return new DeliveryError('not_sent', 'quota', 'The platform limits the rate', options);
  }
}

class ExpiredToken extends Error {}
