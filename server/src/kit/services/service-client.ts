import { ParleyError, providerError, type Reason } from '@parley/sdk';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import { ServiceAnswer } from './service-answer.ts';
import { isRecord } from './values.ts';

export interface ServiceClientOptions {
  /** What errors call the service: `Dify`. */
  name: string;
  /** The guarded client: `fetch` of the runner's context. */
  fetch: typeof globalThis.fetch;
  /** Ends every call; its reason is what they throw then. */
  signal: AbortSignal;
  /** Longest silence, milliseconds: until an answer begins, and between two pieces of it. */
  silenceTimeoutMs: number;
  /** Longest time for one call with all of its answer, milliseconds. Default an hour, or the silence if that is longer. */
  totalTimeoutMs?: number;
  /** Keys and passwords; errors never show them. */
  secrets?: readonly string[];
}

export interface ServiceRequest {
  /** Default `POST`. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as `multipart/form-data`. */
  form?: FormData;
}

/** A refusal: the reason for us, and what the service itself called it. */
export class ServiceRefusal extends ParleyError {
  readonly status: number;
  /** The service's own word for it; null when it gave none. */
  readonly code: string | null;

  constructor(
    reason: Reason,
    message: string,
    {
      status,
      code,
      retryAfterSeconds,
    }: { status: number; code: string | null; retryAfterSeconds?: number | undefined },
  ) {
    super(reason, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    this.status = status;
    this.code = code;
  }
}

const hourMs = 3_600_000;
/** Longest refusal that is looked into, characters. */
const longestRefusal = 65_536;

/** Calls one service elsewhere for one answer, and says what went wrong in words for an operator. */
export class ServiceClient {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly #options: ServiceClientOptions;
  readonly #hide: (text: string) => string;

  constructor(options: ServiceClientOptions) {
    this.name = options.name;
    this.signal = options.signal;
    this.#options = options;
    this.#hide = hidingSecrets(options.secrets ?? []);
  }

  /**
   * Makes a call. Redirects are not followed: they would turn it into another one.
   * @returns the answer, whose content is yet to be read; leave it with `close()` when it is not
   * @throws ServiceRefusal for a status other than 2xx; ParleyError for everything else that goes wrong; the signal's
   *   reason when it is aborted
   */
  async request(address: string, request: ServiceRequest = {}): Promise<ServiceAnswer> {
    this.signal.throwIfAborted();
    const { silenceTimeoutMs, totalTimeoutMs = Math.max(hourMs, silenceTimeoutMs) } = this.#options;
    const stop = new AbortController();
    const total = setTimeout(() => stop.abort(this.#tookTooLong()), totalTimeoutMs);
    // Ends a call that is under way, but is no reason for a process to stay.
    total.unref();
    const silence = setTimeout(() => stop.abort(this.#silent()), silenceTimeoutMs);
    try {
      const init = await this.#initOf(request, AbortSignal.any([this.signal, stop.signal]));
      const response = await this.#options.fetch(address, init);
      const answer = new ServiceAnswer(response, {
        name: this.name,
        signal: this.signal,
        stop,
        silenceTimeoutMs,
        silent: () => this.#silent(),
        ended: () => clearTimeout(total),
      });
      if (!response.ok) throw await this.#refusalOf(answer, response);
      return answer;
    } catch (error) {
      clearTimeout(total);
      stop.abort();
      this.signal.throwIfAborted();
      throw error instanceof ParleyError ? error : providerError(error, this.name);
    } finally {
      clearTimeout(silence);
    }
  }

  /**
   * The error of a failure that the service reports inside of an answer.
   * @param status as of HTTP where the service gives one, else 500
   * @param message the service's own words
   */
  failure(status: number | null, message: string, code: string | null = null): ServiceRefusal {
    return this.#refusal(status !== null && status >= 400 && status < 600 ? status : 500, message, code, {});
  }

  /** The error of an answer that is not what it should be. @param what begins a sentence: `Its answer is not JSON.` */
  malformed(what: string): ParleyError {
    return new ParleyError('provider_failed', `${this.name} gave an answer that cannot be read: ${this.#hide(what)}`);
  }

  async #initOf(
    { method = 'POST', headers = {}, json, form }: ServiceRequest,
    signal: AbortSignal,
  ): Promise<RequestInit> {
    const sent = this.#headers(headers);
    const init: RequestInit = { method, headers: sent, redirect: 'manual', signal };
    if (json !== undefined) {
      sent.set('content-type', 'application/json');
      init.body = JSON.stringify(json);
    }
    if (form !== undefined) {
      // Encoded here, because a client that was installed does not know the form data of the platform.
      const encoded = new Response(form);
      sent.set('content-type', encoded.headers.get('content-type') ?? '');
      init.body = await encoded.arrayBuffer();
    }
    return init;
  }

  /** The error of the platform would show the value, which may be a key. */
  #headers(headers: Record<string, string>): Headers {
    try {
      return new Headers(headers);
    } catch {
      const message =
        'A header of the request cannot be sent: a key or a name has characters that do not belong there.';
      throw new ParleyError('invalid_request', `${this.name}: ${message}`);
    }
  }

  async #refusalOf(answer: ServiceAnswer, response: Response): Promise<ServiceRefusal> {
    const headers = Object.fromEntries(response.headers);
    if (response.status < 400) {
      await answer.close();
      return this.#refusal(response.status, 'it sends the call to another address', null, headers);
    }
    const text = await answer.text(longestRefusal).catch((error: unknown) => {
      this.signal.throwIfAborted();
      return error instanceof ParleyError ? '' : Promise.reject(error);
    });
    const { message, code } = explanationIn(text);
    return this.#refusal(response.status, message, code, headers);
  }

  #refusal(status: number, message: string, code: string | null, responseHeaders: Record<string, string>) {
    const described = { statusCode: status, message: this.#hide(message), responseHeaders };
    const { reason, message: text, retryAfterSeconds } = providerError(described, this.name);
    return new ServiceRefusal(reason, text, { status, code, retryAfterSeconds });
  }

  #silent(): ParleyError {
    return new ParleyError('provider_timeout', `${this.name} did not answer in time.`);
  }

  #tookTooLong(): ParleyError {
    return new ParleyError('time_limit', `The answer of ${this.name} took longer than it may.`);
  }
}

/** What a refusal says of itself, in whichever of the usual fields. */
function explanationIn(text: string): { message: string; code: string | null } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Pages for browsers explain nothing.
    return { message: '', code: null };
  }
  if (!isRecord(body)) return { message: '', code: null };
  const inner = isRecord(body.error) ? body.error : {};
  const message = [
    body.message,
    inner.message,
    body.msg,
    body.error,
    body.detail,
    body.error_message,
    body.error_msg,
  ].find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  const code = [body.code, inner.code, inner.type, body.error_code].find((candidate) =>
    ['string', 'number'].includes(typeof candidate),
  );
  return { message: (message as string | undefined) ?? '', code: code === undefined ? null : String(code) };
}
