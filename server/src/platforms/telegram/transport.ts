import type { RawApi } from 'grammy';
import { failureKindOf } from '../../kit/failures/network-failure.ts';
import { parseRetryAfter } from '../../kit/retry-after.ts';
import { failureOf, TelegramFailure } from './failure.ts';
import type { Timing } from './timing.ts';

export interface TransportOptions {
  token: string;
  /** Address of the Bot API server, without a slash at its end. */
  apiBaseUrl: string;
  fetch: typeof globalThis.fetch;
  timing: Timing;
  /** Ends polls at once. */
  closing: AbortSignal;
  /** Ends every other call, a while later. */
  closed: AbortSignal;
}

/** An answer that is larger than this is none of Telegram's: a hundred updates with everything in them. Bytes. */
const largestAnswer = 32 * 1024 * 1024;

type Call<Result> = (api: RawApi) => Promise<Result>;

/**
 * Calls the Bot API through grammY, and converts all errors to {@link TelegramFailure}. The token is part of every URL,
 * so errors omit URLs.
 */
export class Transport {
  readonly #options: TransportOptions;
  readonly #grammy: typeof import('grammy');
  readonly #apis: Record<'poll' | 'call' | 'transfer', RawApi>;

  private constructor(options: TransportOptions, grammy: typeof import('grammy')) {
    this.#options = options;
    this.#grammy = grammy;
    const { timing, closing, closed } = options;
    this.#apis = {
      poll: this.#api(timing.pollMs + timing.pollGraceMs, closing),
      call: this.#api(timing.callMs, closed),
      transfer: this.#api(timing.transferMs, closed),
    };
  }

  /** Loads grammY, which takes 11 MB that a service without Telegram bots need not pay. */
  static async open(options: TransportOptions): Promise<Transport> {
    return new Transport(options, await import('grammy'));
  }

  /** @throws TelegramFailure, ParleyError `address_not_allowed` */
  call<Result>(call: Call<Result>): Promise<Result> {
    return this.#run('call', call);
  }

  /** A call that takes a file with it. */
  transfer<Result>(call: Call<Result>): Promise<Result> {
    return this.#run('transfer', call);
  }

  /** Polls for updates, as long as Telegram holds the request open. */
  poll<Result>(call: (api: RawApi, seconds: number) => Promise<Result>): Promise<Result> {
    return this.#run('poll', (api) => call(api, Math.round(this.#options.timing.pollMs / 1000)));
  }

  /**
   * A file to send.
   * @param content called for each attempt
   */
  file(content: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>, name: string) {
    // grammY writes the name into a header as it is.
    const safe = name
      .toWellFormed()
      .replace(/[\p{Cc}"\\/]/gu, '_')
      .slice(-200);
    return new this.#grammy.InputFile(content, `"${safe}"`);
  }

  /**
   * The content of a file that was sent to the bot.
   * @param path from `getFile`
   * @param ended ends the download
   * @see https://core.telegram.org/bots/api#getfile
   */
  async *download(path: string, ended: AbortSignal): AsyncGenerator<Uint8Array> {
    const { token, apiBaseUrl, fetch, timing, closed } = this.#options;
    const address = `${apiBaseUrl}/file/bot${token}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const signal = AbortSignal.any([closed, ended, AbortSignal.timeout(timing.transferMs)]);
    try {
      const response = await fetch(address, { signal, redirect: 'error' });
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel();
        const kind = failureKindOf(response.status) === 'refused' ? 'refused' : 'unknown';
        throw new TelegramFailure(kind, 'The file is not available', { code: 400 });
      }
      yield* response.body;
    } catch (error) {
      throw failureOf(error, token);
    }
  }

  async #run<Result>(purpose: 'poll' | 'call' | 'transfer', call: Call<Result>): Promise<Result> {
    try {
      return await call(this.#apis[purpose]);
    } catch (error) {
      throw failureOf(error, this.#options.token);
    }
  }

  /** @param timeoutMs grammY's own timeout, also for a request that neither answers nor fails */
  #api(timeoutMs: number, ended: AbortSignal): RawApi {
    const { token, apiBaseUrl, fetch } = this.#options;
    const fetchAnswer = async (address: string, init: RequestInit): Promise<Pick<Response, 'json'>> => {
      ended.throwIfAborted();
      const signal = AbortSignal.any([ended, native(init.signal as AbortSignal)]);
      try {
        // Telegram does not redirect, and a redirect must not receive user content.
        const answer = await readAnswer(await fetch(address, { ...init, signal, redirect: 'error' }));
        return { json: async () => answer };
      } catch (error) {
        // From here on the request may have been sent, whatever the signal's reason.
        if (!ended.aborted) throw error;
        throw new TelegramFailure('unknown', 'The bot was stopped before Telegram answered');
      }
    };
    return new this.#grammy.Api(token, {
      apiRoot: apiBaseUrl,
      timeoutSeconds: timeoutMs / 1000,
      fetch: fetchAnswer as never,
    }).raw;
  }
}

/** grammY uses its own signal class, which other clients reject. */
function native(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}

/** A response of the Bot API; anything else, from a proxy for example, is a failure. */
async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > largestAnswer) throw new TelegramFailure('unknown', 'The response is too large for the Bot API');
    chunks.push(chunk);
  }
  try {
    const answer: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof (answer as { ok?: unknown } | null)?.ok === 'boolean') return answer;
  } catch {
    // Reported below, as is JSON of another shape.
  }
  const message = `The response (status ${response.status}) is not from a Bot API server`;
  const code = response.status === 429 ? 429 : 0;
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
  throw new TelegramFailure(failureKindOf(response.status), message, {
    code,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}
