import {
  ParleyError,
  type ParleyErrorOptions,
  providerError,
  type Reason,
  type RunnerContext,
  type RunnerRequest,
} from '@parley/sdk';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import { ServiceAnswer } from './service-answer.ts';
import { isRecord } from './values.ts';

export interface ServiceClientOptions {
  /** Name of the service in errors: `Dify`. */
  name: string;
  /** The guarded client: `fetch` of the runner's context. */
  fetch: typeof globalThis.fetch;
  /** Aborts every call; they throw its reason. */
  signal: AbortSignal;
  /** Longest silence, milliseconds: until a response starts, and between two chunks of it. */
  silenceTimeoutMs: number;
  /** Longest time for one call with all of its answer, milliseconds. Default an hour, or the silence if that is longer. */
  totalTimeoutMs?: number;
  /** Keys and passwords; errors never show them. */
  secrets?: readonly string[];
}

/** How long a service may stay silent. */
export type SilenceLimit = Pick<ServiceClientOptions, 'silenceTimeoutMs'>;

export interface ServiceRequest {
  /** Default `POST`. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as `multipart/form-data`. */
  form?: FormData;
}

/** A refusal: our reason, and the service's code. */
export class ServiceRefusal extends ParleyError {
  readonly status: number;
  /** The service's error code; null if it returned none. */
  readonly code: string | null;

  constructor(
    reason: Reason,
    message: string,
    { status, code, ...options }: ParleyErrorOptions & { status: number; code: string | null },
  ) {
    super(reason, message, options);
    this.status = status;
    this.code = code;
  }
}

const hourMs = 3_600_000;
/** Longest refusal that is looked into, characters. */
const longestRefusal = 65_536;

/** Calls an external service for one answer, with error messages for operators. */
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

  /** The client of a runner, for one answer. */
  static forAnswer(
    name: string,
    { signal }: Pick<RunnerRequest, 'signal'>,
    { fetch }: Pick<RunnerContext, 'fetch'>,
    options: Pick<ServiceClientOptions, 'silenceTimeoutMs' | 'secrets'>,
  ): ServiceClient {
    return new ServiceClient({ name, fetch, signal, ...options });
  }

  /**
   * Sends a request. Redirects are not followed.
   * @returns the response, whose content is not read yet; call `close()` to discard it
   * @throws ServiceRefusal for a status other than 2xx; ParleyError for other failures; the signal's reason when it is
   *   aborted
   */
  async request(address: string, request: ServiceRequest = {}): Promise<ServiceAnswer> {
    this.signal.throwIfAborted();
    const { silenceTimeoutMs, totalTimeoutMs = Math.max(hourMs, silenceTimeoutMs) } = this.#options;
    const stop = new AbortController();
    const total = setTimeout(() => stop.abort(this.#tookTooLong()), totalTimeoutMs);
    // The timer aborts a call in progress, but must not keep the process alive.
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
   * The error of a failure that the service reports inside of a response.
   * @param status HTTP status if the service returned one, else 500
   * @param message of the service
   */
  failure(status: number | null, message: string, code: string | null = null): ServiceRefusal {
    return this.#refusal(status !== null && status >= 400 && status < 600 ? status : 500, message, code, {});
  }

  /** The error of an invalid response. @param what a sentence: `Its answer is not JSON.` */
  malformed(what: string): ParleyError {
    return new ParleyError('provider_failed', `${this.name} returned an invalid response: ${this.#hide(what)}`);
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
    const { reason, message: text, retryAfterSeconds, response, hint } = providerError(described, this.name);
    return new ServiceRefusal(reason, text, { status, code, retryAfterSeconds, response, hint });
  }

  #silent(): ParleyError {
    return new ParleyError('provider_timeout', `${this.name} did not answer in time.`);
  }

  #tookTooLong(): ParleyError {
    return new ParleyError('time_limit', `The answer of ${this.name} took longer than it may.`);
  }
}

/** The error message in a refusal, in any of the common fields. */
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
