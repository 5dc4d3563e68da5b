import { ParleyError } from '@parley/sdk';
import { CallLimits } from '../../kit/platform-calls/call-limits.ts';
import { PlatformApi, type PlatformCall, type PlatformResponse } from '../../kit/platform-calls/platform-api.ts';
import { isTokenRefused, LarkFailure } from './failure.ts';
import type { Timing } from './timing.ts';

/** Access tokens for calls on behalf of a company. */
export interface Tokens {
  /** @param tenant key of the company; null for the one of a custom app, or for the last one that wrote */
  get(tenant: string | null): Promise<string>;
  /** The platform refused a token. */
  invalidate(tenant: string | null, token: string): void;
}

export interface LarkApiOptions {
  /** Address of the API, without a slash at its end. */
  address: string;
  fetch: typeof globalThis.fetch;
  /** Ends every call. */
  closed: AbortSignal;
  timing: Pick<Timing, 'callMs' | 'transferMs'>;
}

/** A call of the API. */
export interface LarkCall extends Omit<PlatformCall, 'url' | 'headers'> {
  /** Below the address, such as `/open-apis/im/v1/messages`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  /** With an access token. Default: false. */
  tokens?: Tokens;
  /** The company on whose behalf it is made, for an app of the store. */
  tenant?: string | null;
}

/** A successful response: its JSON object. */
export type LarkResponse = Record<string, unknown> & { data?: Record<string, unknown> };

/** Calls the platform's API. All refusals become {@link LarkFailure}. */
export class LarkApi {
  readonly #options: LarkApiOptions;
  readonly #api: PlatformApi;

  constructor(options: LarkApiOptions) {
    this.#options = options;
    const { fetch, closed, timing } = options;
    this.#api = new PlatformApi({ name: 'Lark', fetch, closed, timeoutMs: timing.callMs, limits: new CallLimits() });
  }

  /** @throws LarkFailure; DeliveryError without a response */
  async call(call: LarkCall): Promise<LarkResponse> {
    const { tokens, tenant = null } = call;
    if (tokens === undefined) return this.#once(call, null);
    const token = await tokens.get(tenant);
    try {
      return await this.#once(call, token);
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      // Nothing was carried out, so it can be called again with another one.
      tokens.invalidate(tenant, token);
      return this.#once(call, await tokens.get(tenant));
    }
  }

  /**
   * The content of a file in a message.
   * @throws LarkFailure; ParleyError `not_found` when a page comes in its place
   */
  async download(path: string, { tokens, signal }: { tokens: Tokens; signal: AbortSignal }): Promise<Response> {
    const token = await tokens.get(null);
    const { address, fetch, closed, timing } = this.#options;
    const response = await fetch(address + path, {
      headers: authorization(token),
      redirect: 'error',
      signal: AbortSignal.any([closed, signal, AbortSignal.timeout(timing.transferMs)]),
    });
    const type = response.headers.get('content-type') ?? '';
    if (response.status === 200 && !/^(application\/json|text\/html)\b/i.test(type)) return response;
    const text = await response.text();
    const body = parsed(text);
    if (body === null) throw new ParleyError('not_found', `Lark answers with status ${response.status} and no file`);
    const failure = failureOf({ status: response.status, headers: response.headers, body });
    if (failure === null) return new Response(text);
    if (isTokenRefused(failure)) tokens.invalidate(null, token);
    throw failure;
  }

  async #once({ path, query = {}, tokens: _, tenant: __, ...call }: LarkCall, token: string | null) {
    const url = new URL(this.#options.address + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const headers = token === null ? {} : authorization(token);
    const response = await this.#api.call({ ...call, url: url.href, headers, limit: call.limit ?? path });
    const failure = failureOf(response);
    if (failure === null) return response.body as LarkResponse;
    throw failure;
  }
}

function authorization(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Null for a success: the code 0. */
function failureOf({ status, headers, body }: PlatformResponse): LarkFailure | null {
  const { code, msg, error } = (body ?? {}) as { code?: unknown; msg?: unknown; error?: unknown };
  if (code === 0) return null;
  if (typeof code === 'number' && Number.isSafeInteger(code)) {
    return new LarkFailure(code, String(msg ?? '') + violations(error), { status, headers });
  }
  return new LarkFailure(status, `The response (status ${status}) is not from Lark`, { status, headers });
}

/** What the platform says beside its message, such as the missing permissions. */
function violations(error: unknown): string {
  const { permission_violations: missing } = (error ?? {}) as { permission_violations?: { subject?: unknown }[] };
  if (!Array.isArray(missing)) return '';
  const names = missing.slice(0, 10).map((one) => String(one?.subject ?? ''));
  return names.length === 0 ? '' : `; missing: ${names.join(', ')}`;
}
