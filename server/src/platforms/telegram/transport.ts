import type { RawApi } from 'grammy';
import { parseRetryAfter } from '../../kit/retry-after.ts';
import { failureOf, kindOf, TelegramFailure } from './failure.ts';
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
 * Calls the Bot API through grammY, and turns whatever goes wrong into a {@link TelegramFailure}. The token is part of
 * every address, so what fails is told without its address.
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

  /** Waits for updates, as long as Telegram holds the call open. */
  poll<Result>(call: (api: RawApi, seconds: number) => Promise<Result>): Promise<Result> {
    return this.#run('poll', (api) => call(api, Math.round(this.#options.timing.pollMs / 1000)));
  }

  /**
   * A file to send.
   * @param content called for each attempt anew
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
   * @param path as `getFile` told it
   * @see https://core.telegram.org/bots/api#getfile
   */
  async *download(path: string): AsyncGenerator<Uint8Array> {
    const { token, apiBaseUrl, fetch, timing, closed } = this.#options;
    const address = `${apiBaseUrl}/file/bot${token}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const signal = AbortSignal.any([closed, AbortSignal.timeout(timing.transferMs)]);
    try {
      const response = await fetch(address, { signal, redirect: 'error' });
      if (response.status !== 200 || response.body === null) {
        await response.body?.cancel();
        const kind = kindOf(response.status) === 'refused' ? 'refused' : 'unknown';
        throw new TelegramFailure(kind, 'The file was not given out', { code: 400 });
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

  /** @param timeoutMs after which grammY gives up, even on a request that neither answers nor fails */
  #api(timeoutMs: number, ended: AbortSignal): RawApi {
    const { token, apiBaseUrl, fetch } = this.#options;
    const fetchAnswer = async (address: string, init: RequestInit): Promise<Pick<Response, 'json'>> => {
      ended.throwIfAborted();
      const signal = AbortSignal.any([ended, native(init.signal as AbortSignal)]);
      try {
        // Telegram does not redirect, and who does must not be sent what people wrote.
        const answer = await readAnswer(await fetch(address, { ...init, signal, redirect: 'error' }));
        return { json: async () => answer };
      } catch (error) {
        // From here on the request may have left, whatever the signal says of why it was cut off.
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

/** grammY brings signals of its own, which other clients do not take. */
function native(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}

/** An answer of the Bot API; whatever else answered, a proxy in front of it say, is a failure. */
async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > largestAnswer) throw new TelegramFailure('unknown', 'The answer is too large to be one of the Bot API');
    chunks.push(chunk);
  }
  try {
    const answer: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof (answer as { ok?: unknown } | null)?.ok === 'boolean') return answer;
  } catch {
    // Told below, as is JSON of another shape.
  }
  const message = `What answered (with status ${response.status}) is not the Bot API`;
  const code = response.status === 429 ? 429 : 0;
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
  throw new TelegramFailure(kindOf(response.status), message, {
    code,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}
