import { ParleyError } from '@parley/sdk';
import { rateLimited } from '../../kit/failures/rate-limited.ts';
import { CallLimits } from '../../kit/platform-calls/call-limits.ts';
import { PlatformApi, type PlatformResponse } from '../../kit/platform-calls/platform-api.ts';
import { TokenCache } from '../../kit/token-cache.ts';
import { objectOf, textOf } from '../../lib/loose-values.ts';
import { type DingTalkSettings, withoutSlash } from './config.ts';
import { DingTalkFailure, failureIn, means, oldFailureIn } from './failure.ts';
import type { Timing } from './timing.ts';

/** Topic of messages to the bot. */
export const messageTopic = '/v1.0/im/bot/messages/get';

export interface DingTalkApiOptions {
  settings: DingTalkSettings;
  fetch: typeof globalThis.fetch;
  /** Ends every call. */
  closed: AbortSignal;
  timing: Pick<Timing, 'callMs' | 'transferMs' | 'callPauseMs' | 'sendLimitMs'>;
}

/** A call of the new host. */
export interface DingTalkCall {
  method?: 'POST' | 'PUT';
  /** Below the address, such as `/v1.0/card/streaming`. */
  path: string;
  json: Record<string, unknown>;
  /** The call may be repeated even if it was carried out. Default: false. */
  isRepeatable?: boolean;
}

/** Calls both hosts of DingTalk for one app. All refusals become {@link DingTalkFailure}. */
export class DingTalkApi {
  readonly #options: DingTalkApiOptions;
  readonly #api: PlatformApi;
  readonly #tokens: TokenCache;
  readonly #address: string;
  readonly #oldAddress: string;

  constructor(options: DingTalkApiOptions) {
    this.#options = options;
    const { fetch, closed, timing, settings } = options;
    this.#address = withoutSlash(settings.api_base_url);
    this.#oldAddress = withoutSlash(settings.oapi_base_url);
    this.#api = new PlatformApi({
      name: 'DingTalk',
      fetch,
      closed,
      timeoutMs: timing.callMs,
      limits: new CallLimits(),
    });
    this.#tokens = new TokenCache({ fetchToken: () => this.fetchToken() });
  }

  /** The host of the API. */
  get host(): string {
    return new URL(this.#address).host;
  }

  /**
   * A new access token; the one of the cache stays valid.
   * @see https://open.dingtalk.com/document/orgapp/obtain-the-access_token-of-an-internal-app
   */
  async fetchToken(): Promise<{ token: string; validMs: number }> {
    const { client_id, client_secret } = this.#options.settings;
    const json = { appKey: client_id.trim(), appSecret: client_secret.trim() };
    const body = await this.#post('/v1.0/oauth2/accessToken', json);
    const { accessToken, expireIn } = body;
    if (typeof accessToken !== 'string' || accessToken === '') {
      throw new DingTalkFailure('failed', 'The response has no access token');
    }
    return { token: accessToken, validMs: typeof expireIn === 'number' && expireIn > 0 ? expireIn * 1000 : 7_200_000 };
  }

  /** Has the token ready. @throws DingTalkFailure for wrong credentials */
  async authorize(): Promise<void> {
    await this.#tokens.get();
  }

  /**
   * Where to connect to, for one use.
   * @throws ParleyError `platform_unauthorized` for wrong credentials
   * @see https://open.dingtalk.com/document/direction/stream-mode-protocol-access-description
   */
  async openConnection(): Promise<string> {
    const { client_id, client_secret } = this.#options.settings;
    const subscriptions = [{ type: 'CALLBACK', topic: messageTopic }];
    const json = { clientId: client_id.trim(), clientSecret: client_secret.trim(), subscriptions, ua: 'parley' };
    const { endpoint, ticket } = await this.#post('/v1.0/gateway/connections/open', json);
    if (typeof endpoint !== 'string' || typeof ticket !== 'string' || !URL.canParse(endpoint)) {
      throw new ParleyError('platform_failed', 'DingTalk gave no address to connect to');
    }
    const url = new URL(endpoint);
    url.searchParams.set('ticket', ticket);
    return url.href;
  }

  /** Calls the new host with the access token. @throws DingTalkFailure; DeliveryError without a response */
  call({ method = 'POST', path, json, isRepeatable = false }: DingTalkCall): Promise<Record<string, unknown>> {
    return this.#authorized(async (token) => {
      const response = await this.#api.call({
        method,
        url: this.#address + path,
        headers: { accept: 'application/json', 'x-acs-dingtalk-access-token': token },
        json,
        limit: path,
        isRepeatable,
      });
      return this.#checked(response, failureIn(response), path);
    });
  }

  /**
   * Uploads a file to the old host. @returns its media id
   * @see https://open.dingtalk.com/document/orgapp/upload-media-files
   */
  upload(type: 'image' | 'voice' | 'file', body: FormData): Promise<string> {
    return this.#authorized(async (token) => {
      const url = new URL(`${this.#oldAddress}/media/upload`);
      url.searchParams.set('access_token', token);
      url.searchParams.set('type', type);
      const { transferMs: timeoutMs } = this.#options.timing;
      const limit = 'upload';
      const response = await this.#api.call({
        method: 'POST',
        url: url.href,
        body,
        limit,
        timeoutMs,
        isRepeatable: true,
      });
      return textOf(this.#checked(response, oldFailureIn(response), limit).media_id);
    });
  }

  /**
   * Sends a message with the address that came with its question.
   * @param limit names the chat, whose messages share a rate limit
   */
  async callWebhook(url: string, json: Record<string, unknown>, limit: string): Promise<void> {
    if (!this.isOfDingTalk(url)) {
      throw new ParleyError('address_not_allowed', 'The address to answer to is not one of DingTalk');
    }
    const response = await this.#api.call({ method: 'POST', url, json, limit });
    this.#checked(response, oldFailureIn(response), limit);
  }

  /** Whether an address in a message may be called: only on the host that session webhooks are documented to be on. */
  isOfDingTalk(address: string): boolean {
    const origin = URL.parse(address)?.origin;
    return (
      origin !== undefined && (origin === new URL(this.#oldAddress).origin || origin === 'https://oapi.dingtalk.com')
    );
  }

  /**
   * The content at an address that the platform gave for a file.
   * @throws ParleyError `not_found`, `address_not_allowed`, `empty_file`; any other error when a retry may succeed
   */
  async download(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { fetch, closed, timing } = this.#options;
    const ends = AbortSignal.any([closed, signal, AbortSignal.timeout(timing.transferMs)]);
    const response = await fetch(url, { redirect: 'error', signal: ends });
    const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '');
    if (response.status === 200 && !isPage) {
      if (response.body === null) throw new ParleyError('empty_file', 'The file has no content');
      return response.body;
    }
    await response.body?.cancel();
    const text = `The address of a file answers with ${isPage ? 'a page' : `status ${response.status}`}`;
    if (response.status === 429 || response.status >= 500) throw new Error(text);
    throw new ParleyError('not_found', text);
  }

  async #post(path: string, json: Record<string, unknown>): Promise<Record<string, unknown>> {
    const headers = { accept: 'application/json' };
    const call = { method: 'POST', url: this.#address + path, headers, json, limit: path, isRepeatable: true } as const;
    const response = await this.#api.call(call);
    return this.#checked(response, failureIn(response), path);
  }

  async #authorized<Result>(call: (token: string) => Promise<Result>): Promise<Result> {
    const token = await this.#tokens.get();
    try {
      return await call(token);
    } catch (error) {
      if (!means(error, 'token')) throw error;
      // Nothing was carried out, so it can be called again with another one.
      this.#tokens.invalidate(token);
      return call(await this.#tokens.get());
    }
  }

  #checked({ body }: PlatformResponse, failure: DingTalkFailure | null, limit: string): Record<string, unknown> {
    if (failure === null) return objectOf(body);
    const { callPauseMs, sendLimitMs: pauseMs } = this.#options.timing;
    if (failure.meaning === 'rate') this.#api.limits.pause(limit, failure.retryAfterMs ?? callPauseMs);
    if (failure.meaning !== 'send_limit') throw failure;
    this.#api.limits.pause(limit, pauseMs);
    throw rateLimited(`DingTalk: ${failure.message}`, { pauseMs, scope: 'chat' });
  }
}
