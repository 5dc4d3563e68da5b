import { ParleyError } from './errors.ts';

/** The longest provider message that is passed on, in characters. */
const maximumMessageLength = 200;
/** Codes of the network and of the HTTP client that mean that time ran out. */
const timeoutCodes = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

interface Fault {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  statusCode?: unknown;
  responseHeaders?: Record<string, string>;
  lastError?: unknown;
  cause?: unknown;
}

/**
 * Says what went wrong between us and a model. An error of the AI SDK is not kept as the cause: it holds the whole
 * conversation and the provider's raw answer, and causes are logged.
 * @param error anything that the AI SDK, a provider of it or the HTTP client threw or reported
 */
export function providerError(error: unknown): ParleyError {
  const chain = chainOf(error);
  const known = chain.find((fault) => fault instanceof ParleyError);
  if (known !== undefined) return known as ParleyError;

  const answered = chain.find((fault) => typeof fault.statusCode === 'number');
  if (answered !== undefined) return errorOfStatus(answered.statusCode as number, answered);
  if (chain.some(({ name, code }) => name === 'TimeoutError' || timeoutCodes.has(String(code)))) {
    return new ParleyError('provider_timeout', 'The model provider did not answer in time.');
  }
  const network = chain.find(({ code }) => typeof code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code));
  if (network !== undefined) {
    return new ParleyError('provider_failed', `The model provider could not be reached (${network.code}).`);
  }
  const malformed = chain.some(({ name }) => /JSONParse|TypeValidation|InvalidResponseData/.test(String(name)));
  if (malformed)
    return new ParleyError('provider_failed', 'The answer of the model provider broke off or is malformed.');
  const reported = chain.find(({ name }) => String(name).startsWith('AI_'));
  if (reported !== undefined) {
    return new ParleyError('provider_failed', `The model provider failed the call${explanation(reported)}.`);
  }
  // A fault of a program, not of a provider: its message is for the log.
  return new ParleyError('provider_failed', 'The model provider failed the call.', { cause: error });
}

function errorOfStatus(status: number, fault: Fault): ParleyError {
  if (status === 401 || status === 403) {
    return new ParleyError('provider_unauthorized', 'The model provider does not accept the key.');
  }
  if (status === 402 || status === 429) {
    const seconds = Number(fault.responseHeaders?.['retry-after']);
    return new ParleyError(
      'quota',
      'The model provider takes no more requests for now: its rate limit or its quota is reached.',
      seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {},
    );
  }
  if (status === 408 || status === 504) {
    return new ParleyError('provider_timeout', 'The model provider did not answer in time.');
  }
  return new ParleyError('provider_failed', `The model provider answered ${status}${explanation(fault)}.`);
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

function explanation(fault: Fault | undefined): string {
  if (typeof fault?.message !== 'string') return '';
  const line = withoutSecrets(fault.message).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  if (line === '') return '';
  const characters = [...line];
  return `: ${characters.length > maximumMessageLength ? `${characters.slice(0, maximumMessageLength).join('')}…` : line}`;
}

/** Requesters keep their own keys out of errors; this catches what looks like one all the same. */
function withoutSecrets(text: string): string {
  return text.replace(/\bBearer\s+\S+/gi, '[key]').replace(/\bsk-[\w-]+|\b(?=\w*\d)[\w-]{32,}/g, '[key]');
}
