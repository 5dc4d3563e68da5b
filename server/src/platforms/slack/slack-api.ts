import { ParleyError, type PlatformContext } from '@parley/sdk';
import { PlatformApi } from '../../kit/platform-calls/platform-api.ts';
import { parseRetryAfter } from '../../kit/retry-after.ts';
import { defaultApiBaseUrl, type SlackSettings } from './config.ts';
import { failureIn } from './failure.ts';
import type { Timing } from './timing.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface CallOptions {
  /** Another token than that of the bot. */
  token?: string;
  /** Names the calls that share a rate limit. Default: the method. */
  limit?: string;
  /** Whose sending a rate limit holds up. Default: the bot's. */
  scope?: 'chat' | 'bot';
  isRepeatable?: boolean;
  timeoutMs?: number;
}

/** A success of the Web API. */
export interface ApiResult {
  body: Fields;
  headers: Headers;
}

/** Slack's Web API with the tokens of one app. */
export class SlackApi {
  readonly #api: PlatformApi;
  readonly #base: string;
  readonly #token: string;
  readonly #timing: Timing;

  /** @throws ParleyError `platform_unauthorized` for a token that cannot be one */
  constructor(
    settings: SlackSettings,
    { fetch, closed, timing }: Pick<PlatformContext, 'fetch'> & { closed: AbortSignal; timing: Timing },
  ) {
    this.#api = new PlatformApi({ name: 'Slack', fetch, closed, timeoutMs: timing.callMs });
    this.#base = settings.api_base_url.trim().replace(/\/+$/, '') || defaultApiBaseUrl;
    this.#token = validToken(settings.bot_token);
    this.#timing = timing;
  }

  /** The host of the API. */
  get host(): string {
    return new URL(this.#base).host;
  }

  /** @throws DeliveryError */
  async call(method: string, params: Fields, options: CallOptions = {}): Promise<ApiResult> {
    const { token = this.#token, limit = method, scope = 'bot', isRepeatable = false, timeoutMs } = options;
    const response = await this.#api.call({
      method: 'POST',
      url: `${this.#base}/${method}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: formOf(params),
      limit,
      isRepeatable,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const failure = failureIn(response, { method, scope, isRepeatable });
    if (response.status === 429) {
      this.#api.limits.pause(limit, parseRetryAfter(response.headers.get('retry-after')) ?? 1000);
    }
    if (failure !== null) throw failure;
    // A success is an object.
    return { body: response.body as Fields, headers: response.headers };
  }

  /** Sends the content of a file to the address that Slack gave for it. @throws DeliveryError */
  async upload(url: string, content: BodyInit): Promise<void> {
    const call = { method: 'POST', url, body: content, limit: 'upload', isRepeatable: true } as const;
    const response = await this.#api.call({ ...call, timeoutMs: this.#timing.transferMs });
    if (response.status === 200) return;
    const failure = failureIn(response, { method: 'an upload', scope: 'bot', isRepeatable: true });
    throw failure ?? new ParleyError('platform_failed', `Slack answered an upload with status ${response.status}`);
  }

  /** Headers for a file of a message; none for an address that is not Slack's, which must not get the token. */
  headersFor(url: string): Record<string, string> | null {
    const { protocol, hostname, origin } = URL.parse(url) ?? {};
    const isSlack = protocol === 'https:' && /(^|\.)slack(-edge|-files)?\.com$/.test(hostname ?? '');
    if (!isSlack && origin !== new URL(this.#base).origin) return null;
    return { authorization: `Bearer ${this.#token}` };
  }
}

/** @throws ParleyError `platform_unauthorized` */
export function validToken(given: string): string {
  const token = given.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new ParleyError('platform_unauthorized', 'A token of Slack is missing, or is not one');
}

/**
 * Arguments as a form, which every method takes; JSON is refused by some as if arguments were missing. What is no text
 * is JSON in it. @see https://docs.slack.dev/apis/web-api
 */
function formOf(params: Fields): string {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(texts).toString();
}
