import { DeliveryError, ParleyError } from '@parley/sdk';
import { causesOf, networkFailureOf } from '../failures/network-failure.ts';
import { CallLimits } from './call-limits.ts';

export interface PlatformApiOptions {
  /** Name of the platform, for error messages. */
  name: string;
  /** As the platform's context gives it. */
  fetch: typeof globalThis.fetch;
  /** Ends every call. */
  closed: AbortSignal;
  /** Rate limits that the account's calls share. Default: of this client alone. */
  limits?: CallLimits;
  /** Timeout of a call, milliseconds. Default 30 000. */
  timeoutMs?: number;
  /** Longest response that is read, bytes. Default 16 MiB. */
  maximumBytes?: number;
}

/** A call of a platform's HTTP API. */
export interface PlatformCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. Never part of an error message, since it may hold a token. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, if there is no `json`. */
  body?: BodyInit;
  /** Names the calls that share a rate limit. Default: the method and the path. */
  limit?: string;
  timeoutMs?: number;
  /** The call may be repeated even if it was carried out. Default: true for GET. */
  isRepeatable?: boolean;
}

/** A response of a platform, with any status. */
export interface PlatformResponse {
  status: number;
  headers: Headers;
  /** The parsed JSON; undefined when the body is none. */
  body: unknown;
}

/**
 * Calls a platform's HTTP API, one attempt each. Redirects are not followed: they would receive what users write. Which
 * response is a refusal, and which limits it names, the adapter decides.
 */
export class PlatformApi {
  readonly limits: CallLimits;
  readonly #options: Required<PlatformApiOptions>;

  constructor(options: PlatformApiOptions) {
    this.limits = options.limits ?? new CallLimits();
    this.#options = { timeoutMs: 30_000, maximumBytes: 16 * 1024 * 1024, ...options, limits: this.limits };
  }

  /**
   * Makes a call, after the pause of its limit.
   * @throws DeliveryError when there is no response: `not_sent`, or `unknown` when the request may have left; `quota`
   *   during a long rate limit. ParleyError `address_not_allowed`
   */
  async call(call: PlatformCall): Promise<PlatformResponse> {
    const { closed, fetch, timeoutMs, maximumBytes } = this.#options;
    await this.limits.wait(call.limit ?? limitOf(call), closed);
    const { method, url, headers = {}, json } = call;
    const { body, type } = await encoded(json === undefined ? call.body : JSON.stringify(json));
    const contentType = json === undefined ? type : 'application/json; charset=utf-8';
    const signal = AbortSignal.any([closed, AbortSignal.timeout(call.timeoutMs ?? timeoutMs)]);
    try {
      const init: RequestInit = {
        method,
        headers: { ...(contentType && { 'content-type': contentType }), ...headers },
        signal,
        redirect: 'error',
      };
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      return { status: response.status, headers: response.headers, body: await jsonOf(response, maximumBytes) };
    } catch (error) {
      throw this.#failureOf(error, call.isRepeatable ?? method === 'GET');
    }
  }

  #failureOf(error: unknown, isRepeatable: boolean): ParleyError {
    const { name, closed } = this.#options;
    const known = causesOf(error).find((cause) => cause instanceof ParleyError && cause !== closed.reason);
    if (known !== undefined) return known as ParleyError;
    const { kind, code, isTimeout } = networkFailureOf(error);
    if (kind === 'not_sent')
      return new DeliveryError(kind, 'platform_failed', withCode(`${name} cannot be reached`, code));
    const what = closed.aborted
      ? `The bot was stopped before ${name} answered`
      : isTimeout
        ? `${name} did not answer in time`
        : withCode(`The connection to ${name} broke off`, code);
    return new DeliveryError('unknown', 'platform_failed', what, { isRepeatable });
  }
}

/** A client that was installed does not know the runtime's own form data, so that is encoded here. */
async function encoded(body: BodyInit | undefined): Promise<{ body: BodyInit | undefined; type?: string | null }> {
  if (!(body instanceof FormData)) return { body };
  const form = new Response(body);
  return { body: new Uint8Array(await form.arrayBuffer()), type: form.headers.get('content-type') };
}

function limitOf({ method, url }: PlatformCall): string {
  return `${method} ${URL.parse(url)?.pathname ?? url}`;
}

function withCode(text: string, code: string | null): string {
  return code === null ? text : `${text} (${code})`;
}

async function jsonOf(response: Response, maximumBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBytes) throw new Error('The response is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return undefined;
  }
}
