import { DeliveryError, ParleyError } from '@parley/sdk';
import { LRUCache } from 'lru-cache';
import { failureKindOf } from '../../kit/failures/network-failure.ts';
import { rateLimited } from '../../kit/failures/rate-limited.ts';
import { CallLimits } from '../../kit/platform-calls/call-limits.ts';
import { PlatformApi, type PlatformCall, type PlatformResponse } from '../../kit/platform-calls/platform-api.ts';
import { parseRetryAfter } from '../../kit/retry-after.ts';
import { settingFault } from '../../kit/setting-fault.ts';
import { type DiscordSettings, defaultApiBaseUrl } from './config.ts';
import { DiscordRefusal, errorCodes } from './failure.ts';
import { RefusalBudget } from './refusal-budget.ts';
import type { Timing } from './timing.ts';

export interface DiscordApiOptions {
  /** As {@link checkedToken} returns it. */
  token: string;
  /** As {@link baseUrlOf} returns it. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  /** Ends every call. */
  closed: AbortSignal;
  timing: Timing;
  /** Called when Discord does not know the token any more. */
  onUnauthorized?(error: ParleyError): void;
}

/** A call of the API. The path starts with a slash. */
export type DiscordCall = Pick<PlatformCall, 'method' | 'json' | 'body' | 'headers' | 'isRepeatable' | 'timeoutMs'> & {
  path: string;
};

/** Routes whose bucket is remembered. */
const rememberedRoutes = 500;
/** Pause after a rate limit that names no time, as proxies before Discord do, milliseconds. */
const unnamedPause = 60_000;

/** Calls Discord's REST API, one attempt each, and keeps the rate limits that its responses name. */
export class DiscordApi {
  readonly #options: DiscordApiOptions;
  readonly #api: PlatformApi;
  readonly #limits = new CallLimits();
  readonly #refusals = new RefusalBudget();
  /** The bucket of each route, which several may share. */
  readonly #buckets = new LRUCache<string, string>({ max: rememberedRoutes });

  constructor(options: DiscordApiOptions) {
    const { fetch, closed, timing } = options;
    this.#options = options;
    this.#api = new PlatformApi({ name: 'Discord', fetch, closed, limits: this.#limits, timeoutMs: timing.callMs });
  }

  /**
   * Makes a call, after the pause of its rate limit.
   * @returns what the caller expects of Discord; undefined where a response has no content
   * @throws DiscordRefusal when Discord refuses it; DeliveryError `not_sent` for a rate limit, `unknown` without a
   *   conclusive response; ParleyError `address_not_allowed`
   */
  async call<Result = unknown>({ path, headers, ...call }: DiscordCall): Promise<Result> {
    const { token, baseUrl } = this.#options;
    this.#refusals.check();
    const route = routeOf(call.method, path);
    const limit = this.#buckets.get(route) ?? route;
    const response = await this.#api.call({
      ...call,
      url: `${baseUrl}${path}`,
      limit,
      headers: { authorization: `Bot ${token}`, 'user-agent': userAgent, ...headers },
    });
    this.#learnLimit(route, response);
    if (response.status >= 200 && response.status < 300) return this.#resultOf<Result>(response, call);
    throw this.#failureOf(response, route, call);
  }

  #resultOf<Result>({ status, body }: PlatformResponse, { method, isRepeatable }: Omit<DiscordCall, 'path'>): Result {
    if (status === 204 || (typeof body === 'object' && body !== null)) return body as Result;
    throw new DeliveryError('unknown', 'platform_failed', `The response (status ${status}) is not from Discord`, {
      isRepeatable: isRepeatable ?? method === 'GET',
    });
  }

  /** Waits before the next call once a bucket is empty. */
  #learnLimit(route: string, { headers }: PlatformResponse): void {
    const bucket = headers.get('x-ratelimit-bucket');
    const limit = bucket === null ? route : `${bucket} ${majorOf(route)}`;
    if (bucket !== null) this.#buckets.set(route, limit);
    const resetAfter = Number(headers.get('x-ratelimit-reset-after') ?? Number.NaN);
    if (headers.get('x-ratelimit-remaining') !== '0' || !(resetAfter > 0)) return;
    this.#limits.pause(limit, resetAfter * 1000);
  }

  #failureOf(response: PlatformResponse, route: string, call: Omit<DiscordCall, 'path'>): Error {
    const { status, body } = response;
    const isShared = response.headers.get('x-ratelimit-scope') === 'shared';
    if ([401, 403, 429].includes(status) && !isShared) this.#refusals.count();
    if (status === 429 && !isAboutOldMessage(body)) return this.#limited(response, route);
    if (failureKindOf(status) === 'unknown') {
      const text = `Discord failed with status ${status}`;
      const isRepeatable = call.isRepeatable ?? call.method === 'GET';
      return new DeliveryError('unknown', 'platform_failed', text, { isRepeatable });
    }
    const refusal = new DiscordRefusal(status, body);
    if (status === 401) this.#options.onUnauthorized?.(unauthorized());
    return refusal;
  }

  #limited({ headers, body }: PlatformResponse, route: string): DeliveryError {
    const { retry_after, global, message } = (body ?? {}) as Record<string, unknown>;
    const named = parseRetryAfter(retry_after) ?? parseRetryAfter(headers.get('retry-after'));
    // Without Discord's own words, it is the network before it that limits this IP address.
    const isOfBot = global === true || headers.has('x-ratelimit-global') || typeof message !== 'string';
    const pauseMs = named ?? (isOfBot ? unnamedPause : null);
    if (isOfBot) this.#limits.pauseAll(pauseMs ?? 0);
    else this.#limits.pause(this.#buckets.get(route) ?? route, pauseMs ?? 0);
    return rateLimited('Discord limits the rate of calls', { pauseMs, scope: isOfBot ? 'bot' : 'chat' });
  }
}

const userAgent = 'DiscordBot (https://parley.invalid, 1)';

/** The limit for edits of an old message, which no pause of a reasonable length ends. */
function isAboutOldMessage(body: unknown): boolean {
  return (body as { code?: unknown } | null | undefined)?.code === errorCodes.tooManyOldEdits;
}

/** Ids that share a limit become `:id`; those of channels and servers have their own. */
function routeOf(method: string, path: string): string {
  const [bare = ''] = path.split('?');
  return `${method} ${bare.replace(/(?<!^\/(?:channels|guilds))\/\d+/g, '/:id')}`;
}

function majorOf(route: string): string {
  return /\d+/.exec(route)?.[0] ?? '';
}

/** The error of a token that Discord does not know. */
export function unauthorized(): ParleyError {
  return new ParleyError(
    'platform_unauthorized',
    'Discord rejected the token. Reset it in the Developer Portal on the page Bot, and enter the new one',
  );
}

/**
 * The token as it is sent.
 * @throws ParleyError `platform_unauthorized` for one that Discord cannot have issued
 */
export function checkedToken({ token }: Pick<DiscordSettings, 'token'>): string {
  const bare = token.trim().replace(/^Bot\s+/i, '');
  if (!/^[\w.-]+$/.test(bare)) throw new ParleyError('platform_unauthorized', 'The token was not issued by Discord');
  return bare;
}

/**
 * The address of the API with its version.
 * @throws ParleyError `invalid_request`
 */
export function baseUrlOf({ api_base_url }: Pick<DiscordSettings, 'api_base_url'>): string {
  const base = api_base_url.trim().replace(/\/+$/, '') || defaultApiBaseUrl;
  if (!URL.canParse(base)) throw settingFault('api_base_url', 'The API base URL is not a valid URL', 'address');
  return /\/v\d+$/.test(base) ? base : `${base}/v10`;
}
