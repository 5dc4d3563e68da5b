import { ParleyError, type ParleyErrorOptions, type RemoteResponse } from './errors.ts';
import { type Hint, type HintCode, hintFrom } from './hints.ts';

/** The longest provider message that is passed on, in characters. */
const maximumMessageLength = 200;
/** Codes of the network and of the HTTP client that mean that time ran out. */
const timeoutCodes = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
/** Transient statuses below 500. */
const passingStatuses = new Set([408, 409, 425, 429]);
/** Codes of the network that stay as they are: no such name, not allowed. */
const lastingCodes = new Set(['ENOTFOUND', 'EACCES', 'EPERM']);
/** Codes of broken connections; all other network codes mean that none was established. */
const brokenCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED']);
/** Codes of certificates and of TLS that do not hold. */
const tlsCode =
  /^(CERT_\w+|CRL_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|HOSTNAME_MISMATCH|ERR_TLS_\w+|ERR_SSL_\w+)$/;
/** Messages about a rejected key, for providers with an unspecific status. */
const refusesKey = /api[ _-]?key[ _]?(?:is )?(?:not valid|invalid)|(?:invalid|incorrect|wrong) api[ _-]?key/i;
/** Messages and codes for an unknown model. */
const missesModel = new RegExp(
  [
    'model[ _]?not[ _]?(?:found|exist)',
    '(?:no such|unknown|unsupported) model',
    'not a valid model',
    'model identifier is invalid',
    'deployment ?not ?found',
    'access to (?:the )?model',
    '\\bmodels?\\b.{0,120}?(?:does not exist|doesn.t exist|not found)',
    'not_found_error\\W.{0,60}\\bmodel:',
    '模型不存在',
  ].join('|'),
  'i',
);
/** Statuses of refusals that may be for the name of the model. */
const modelStatuses = new Set([400, 403, 404, 422]);
/** Messages that a quota or the credit is used up, in contrast to a rate limit. */
const usedUp =
  /insufficient[ _]?(?:quota|balance|credit)|exceeded your current quota|billing|credit balance|余额不足|欠费/i;
/** Maximum length of a provider's message that is read, characters. */
const readLength = 2000;
/** Maximum length of the provider's message in {@link RemoteResponse}, characters. */
const responseLength = 500;

/**
 * The header in which a wrapped `fetch` names the cause of a refusal, JSON of a {@link Hint}: it knows the address and
 * the key, which an error does not contain. Such a header of the provider itself is removed there.
 */
export const hintHeader = 'x-parley-hint';

interface Fault {
  name?: unknown;
  message?: unknown;
  responseBody?: unknown;
  code?: unknown;
  statusCode?: unknown;
  responseHeaders?: Record<string, string>;
  isRetryable?: unknown;
  lastError?: unknown;
  cause?: unknown;
}

/**
 * Converts an error of a model call. An error of the AI SDK is not included as the cause: it contains the whole
 * conversation and the provider's raw response, and causes are logged.
 * @param error from the AI SDK, a provider of it or the HTTP client
 * @param service name in the message
 */
export function providerError(error: unknown, service = 'The model provider'): ParleyError {
  const chain = chainOf(error);
  const known = chain.find((fault) => fault instanceof ParleyError);
  if (known !== undefined) return known as ParleyError;

  const answered = chain.find(hasStatus);
  if (answered !== undefined) {
    const status = answered.statusCode;
    return status < 300 ? brokenAnswer(service) : errorOfStatus(status, answered, service);
  }
  if (chain.some(({ name, code }) => name === 'TimeoutError' || timeoutCodes.has(String(code)))) {
    return new ParleyError('provider_timeout', `${service} did not answer in time.`, hinted('no_response'));
  }
  const network = chain.find(({ code }) => isOfNetwork(code));
  if (network !== undefined) {
    const code = String(network.code);
    return brokenCodes.has(code)
      ? new ParleyError(
          'provider_failed',
          `The connection to ${inSentence(service)} broke (${code}).`,
          hinted('broken_connection'),
        )
      : new ParleyError('provider_unreachable', `${service} could not be reached (${code}).`, hinted(hintOfCode(code)));
  }
  const unsafe = chain.find(({ code }) => typeof code === 'string' && tlsCode.test(code));
  if (unsafe !== undefined) {
    const message = `${service} could not be reached over a safe connection (${unsafe.code}).`;
    return new ParleyError('provider_unreachable', message, hinted(hintOfCode(String(unsafe.code))));
  }
  if (chain.some(({ name }) => isMalformed(name))) return brokenAnswer(service);
  const reported = chain.find(({ name }) => String(name).startsWith('AI_'));
  if (reported !== undefined) {
    return new ParleyError('provider_failed', `${service} failed the call${explanation(reported)}.`, {
      response: { status: null, text: line(reported, responseLength) },
    });
  }
  // A fault of a program, not of a provider: its message is for the log.
  return new ParleyError('provider_failed', `${service} failed the call.`, { cause: error });
}

function hasStatus(fault: Fault): fault is Fault & { statusCode: number } {
  return typeof fault.statusCode === 'number';
}

function brokenAnswer(service: string): ParleyError {
  return new ParleyError(
    'provider_failed',
    `The answer of ${inSentence(service)} broke off or is malformed.`,
    hinted('broken_connection'),
  );
}

function hinted(code: HintCode): { hint: Hint } {
  return { hint: { code, parameters: {} } };
}

/** The hint for a code of the network or of TLS. */
export function hintOfCode(code: string): HintCode {
  if (code === 'ENOTFOUND') return 'unknown_host';
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') return 'no_tls';
  return tlsCode.test(code) ? 'certificate' : 'host_unreachable';
}

/** A name keeps its capital; an article does not. */
function inSentence(service: string): string {
  return service.replace(/^The /, 'the ');
}

/**
 * Whether a retry may succeed: the provider was overloaded, or the connection broke. Timeouts are not retried.
 * @param error as for {@link providerError}
 */
export function mayPass(error: unknown): boolean {
  const chain = chainOf(error);
  if (chain.some((fault) => fault instanceof ParleyError)) return false;
  const answered = chain.find(hasStatus);
  if (answered !== undefined) {
    const status = answered.statusCode;
    return passingStatuses.has(status) || ((status < 300 || status >= 500) && answered.isRetryable !== false);
  }
  if (chain.some(({ name, code }) => name === 'TimeoutError' || timeoutCodes.has(String(code)))) return false;
  return chain.some(({ name, code }) => (isOfNetwork(code) ? !lastingCodes.has(code) : isMalformed(name)));
}

function errorOfStatus(status: number, fault: Fault, service: string): ParleyError {
  const seconds = retryAfterSeconds(fault.responseHeaders);
  const said = wordsOf(fault);
  const known = hintIn(fault.responseHeaders);
  const options = (code: HintCode | null): ParleyErrorOptions => ({
    ...(seconds === null ? {} : { retryAfterSeconds: seconds }),
    response: responseOf(status, fault),
    hint: known ?? (code === null ? undefined : { code, parameters: {} }),
  });
  if (modelStatuses.has(status) && missesModel.test(said)) {
    const message = `${service} does not know the model${explanation(fault)}.`;
    return new ParleyError('unknown_model', message, options('unknown_model'));
  }
  if (status === 401 || status === 403 || (status === 400 && refusesKey.test(said))) {
    const message = `${service} does not accept the key.`;
    return new ParleyError(
      'provider_unauthorized',
      message,
      options(status === 403 ? 'key_permissions' : 'key_rejected'),
    );
  }
  if (status === 402 || status === 429) {
    const isUsedUp = status === 402 || usedUp.test(said);
    return new ParleyError(
      'quota',
      `${service} takes no more requests for now: its rate limit or its quota is reached.`,
      options(isUsedUp ? 'quota_used_up' : 'rate_limit'),
    );
  }
  if (status === 408 || status === 504) {
    return new ParleyError('provider_timeout', `${service} did not answer in time.`, options('no_response'));
  }
  const message = `${service} answered ${status}${explanation(fault)}.`;
  return new ParleyError('provider_failed', message, options(status >= 500 ? 'provider_problem' : null));
}

function responseOf(status: number, fault: Fault): RemoteResponse {
  return { status, text: line(fault, responseLength) };
}

function hintIn(headers: Record<string, string> = {}): Hint | null {
  const text = headers[hintHeader];
  if (text === undefined) return null;
  try {
    return hintFrom(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The provider's retry delay: from milliseconds, seconds or a date. Null if missing or invalid. */
function retryAfterSeconds(headers: Record<string, string> = {}): number | null {
  const milliseconds = Number(headers['retry-after-ms']);
  if (milliseconds > 0) return Math.ceil(milliseconds / 1000);
  const text = headers['retry-after'] ?? '';
  const seconds =
    text.trim() === '' || Number.isFinite(Number(text)) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return seconds > 0 && Number.isFinite(seconds) ? Math.ceil(seconds) : null;
}

function isOfNetwork(code: unknown): code is string {
  return typeof code === 'string' && /^(E(?!RR_)[A-Z_]+|UND_ERR_\w+)$/.test(code);
}

function isMalformed(name: unknown): boolean {
  return /JSONParse|TypeValidation|InvalidResponseData/.test(String(name));
}

/** An error and everything it wraps, outermost first. */
function chainOf(error: unknown): Fault[] {
  const chain: Fault[] = [];
  for (let current = error; typeof current === 'object' && current !== null && !chain.includes(current); ) {
    const fault: Fault = current;
    chain.push(fault);
    current = fault.lastError ?? fault.cause;
  }
  return chain;
}

/** The provider's message, as text and as JSON. */
function wordsOf({ message, responseBody }: Fault): string {
  const texts = [message, responseBody].map((text) => (typeof text === 'string' ? text.slice(0, readLength) : ''));
  return texts.join(' ').replace(/\s+/g, ' ');
}

function explanation(fault: Fault): string {
  const text = line(fault, maximumMessageLength);
  return text === '' ? '' : `: ${text}`;
}

/** The provider's message in one line without secrets. @param most characters, except for the ellipsis */
function line({ message }: Fault, most: number): string {
  if (typeof message !== 'string') return '';
  const text = withoutSecrets(message.slice(0, readLength)).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}

/** Requesters redact their own keys from errors; this also redacts anything that resembles one. */
function withoutSecrets(text: string): string {
  return text.replace(/\bBearer\s+\S+/gi, '[key]').replace(/\bsk-[\w-]+|\b(?=\w*\d)[\w-]{32,}/g, '[key]');
}
