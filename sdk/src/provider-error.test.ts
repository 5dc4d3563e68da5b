import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ParleyError } from './errors.ts';
import { hintHeader, mayPass, providerError } from './provider-error.ts';

/** As the AI SDK reports an answer with a status. */
const answered = (statusCode: number, more: object = {}) =>
  Object.assign(new Error('Refused'), { name: 'AI_APICallError', statusCode, ...more });
/** A network error of the HTTP client, wrapped as the AI SDK does. */
const onTheWay = (code: string) => {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
  return Object.assign(new Error('Cannot connect to API'), { name: 'AI_APICallError', isRetryable: true, cause });
};

describe('providerError', () => {
  it.each<[string, unknown, string]>([
    ['401', answered(401), 'provider_unauthorized'],
    ['403', answered(403), 'provider_unauthorized'],
    ['402', answered(402), 'quota'],
    ['429', answered(429), 'quota'],
    ['408', answered(408), 'provider_timeout'],
    ['504', answered(504), 'provider_timeout'],
    ['500', answered(500), 'provider_failed'],
    ['the last of several attempts', Object.assign(new Error('x'), { lastError: answered(429) }), 'quota'],
    ['no headers in time', onTheWay('UND_ERR_HEADERS_TIMEOUT'), 'provider_timeout'],
    ...[
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'CERT_HAS_EXPIRED',
      'ERR_SSL_WRONG_VERSION_NUMBER',
    ].map((code): [string, unknown, string] => [code, onTheWay(code), 'provider_unreachable']),
    ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].map((code): [string, unknown, string] => [
      code,
      onTheWay(code),
      'provider_failed',
    ]),
    ['a ParleyError', new ParleyError('address_not_allowed', 'x'), 'address_not_allowed'],
    ['nothing', undefined, 'provider_failed'],
    ['a text', 'oops', 'provider_failed'],
  ])('is read from %s', (_, error, reason) => {
    expect(providerError(error)).toMatchObject({ name: 'ParleyError', reason });
  });

  it.each<[string, number, string, string?]>([
    ['OpenAI', 404, 'The model `gpt-5.5-x` does not exist or you do not have access to it.'],
    ['OpenAI, by code', 403, 'No access', '{"error":{"code":"model_not_found"}}'],
    [
      'Anthropic',
      404,
      'model: claude-x',
      '{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}',
    ],
    ['Gemini', 404, 'models/gemini-x is not found for API version v1beta'],
    ['Azure', 404, 'The API deployment for this resource does not exist', '{"error":{"code":"DeploymentNotFound"}}'],
    ['Bedrock', 400, 'The provided model identifier is invalid.'],
    ['Bedrock, of models without access', 403, "You don't have access to the model with the specified model ID."],
    ['Ollama', 404, 'model "llama9" not found, try pulling it first'],
    ['DeepSeek', 400, 'Model Not Exist'],
    ['SiliconFlow', 400, 'Model does not exist. Please check it carefully.'],
    ['ZhipuAI', 400, '模型不存在，请检查模型代码。'],
    ['OpenRouter', 400, 'some/model is not a valid model ID'],
  ])('is an unknown model by the message of %s', (_, status, message, responseBody) => {
    expect(providerError(answered(status, { message, responseBody })).reason).toBe('unknown_model');
  });

  it.each<[string, number, string, string]>([
    ['a wrong path', 404, 'Invalid URL (POST /v1/chat)', 'provider_failed'],
    ['a long conversation', 400, "This model's maximum context length is 8192 tokens.", 'provider_failed'],
    ['a model that is down', 500, 'model not found', 'provider_failed'],
    ['a key that Gemini refuses', 400, 'API key not valid. Please pass a valid API key.', 'provider_unauthorized'],
    ['a key that xAI refuses', 400, 'Incorrect API key provided: xa***', 'provider_unauthorized'],
  ])('is not an unknown model for %s', (_, status, message, reason) => {
    expect(providerError(answered(status, { message })).reason).toBe(reason);
  });

  it.each<[string, unknown, string, { status: number | null; text: string } | undefined]>([
    ['401', answered(401, { message: 'Bad key.' }), 'key_rejected', { status: 401, text: 'Bad key' }],
    ['403', answered(403), 'key_permissions', { status: 403, text: 'Refused' }],
    ['402', answered(402), 'quota_used_up', { status: 402, text: 'Refused' }],
    ['429', answered(429, { message: 'Slow down' }), 'rate_limit', { status: 429, text: 'Slow down' }],
    [
      '429 of a used-up quota',
      answered(429, { message: 'x', responseBody: '{"error":{"code":"insufficient_quota"}}' }),
      'quota_used_up',
      { status: 429, text: 'x' },
    ],
    ['503', answered(503), 'provider_problem', { status: 503, text: 'Refused' }],
    ['504', answered(504), 'no_response', { status: 504, text: 'Refused' }],
    [
      '404 with a model',
      answered(404, { message: 'No such model' }),
      'unknown_model',
      { status: 404, text: 'No such model' },
    ],
    ['no answer', onTheWay('ETIMEDOUT'), 'no_response', undefined],
    ['no host', onTheWay('ENOTFOUND'), 'unknown_host', undefined],
    ['no server', onTheWay('ECONNREFUSED'), 'connection_refused', undefined],
    ['no route', onTheWay('EHOSTUNREACH'), 'host_unreachable', undefined],
    ['a bad certificate', onTheWay('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificate', undefined],
    ['no TLS', onTheWay('ERR_SSL_WRONG_VERSION_NUMBER'), 'no_tls', undefined],
    ['a broken connection', onTheWay('ECONNRESET'), 'broken_connection', undefined],
  ])('names the cause of %s, and what the provider returned', (_, error, code, response) => {
    const failure = providerError(error);
    expect(failure.hint?.code).toBe(code);
    expect(failure.response).toEqual(response);
  });

  it('takes the cause that the fetch named, and only a known one', () => {
    const named = (value: string) => providerError(answered(404, { responseHeaders: { [hintHeader]: value } })).hint;
    expect(named('{"code":"base_url_version","parameters":{"url":"https://a.example/v1","n":1}}')).toEqual({
      code: 'base_url_version',
      parameters: { url: 'https://a.example/v1' },
    });
    for (const value of ['', '{', 'null', '[]', '{"code":"toString"}', '{"code":1}'])
      expect(named(value)).toBeUndefined();
  });

  it('passes on no key and no more than 500 characters', () => {
    const message = `No: sk-${'a'.repeat(40)} ${'word '.repeat(100_000)}`;
    const text = providerError(answered(500, { message })).response?.text ?? '';
    expect(text).toMatch(/^No: \[key\] word/);
    expect(text.length).toBeLessThanOrEqual(501);
  });

  it('reads only the start of the message', () => {
    const message = `${'model '.repeat(1_000_000)} not found`;
    const begun = performance.now();
    expect(providerError(answered(404, { message, responseBody: message })).reason).toBe('provider_failed');
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it('is a broken answer when it started well', () => {
    expect(providerError(answered(200)).message).toContain('broke off');
  });

  it('names the called service', () => {
    expect(providerError(answered(401), 'Dify').message).toBe('Dify does not accept the key.');
    expect(providerError(answered(200), 'Dify').message).toBe('The answer of Dify broke off or is malformed.');
    expect(providerError('oops', 'Dify').message).toBe('Dify failed the call.');
  });

  it('names the code of the network, and keeps the faults of programs for the log', () => {
    expect(providerError(onTheWay('EAI_AGAIN')).message).toBe('The model provider could not be reached (EAI_AGAIN).');
    const fault = Object.assign(new Error('secret'), { code: 'ERR_INVALID_ARG_TYPE' });
    expect(providerError(fault)).toMatchObject({ message: 'The model provider failed the call.', cause: fault });
  });
});

describe('when to come back', () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z'), toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it.each<[Record<string, string> | undefined, number | undefined]>([
    [{ 'retry-after': '17' }, 17],
    [{ 'retry-after': '0.2' }, 1],
    [{ 'retry-after-ms': '1500', 'retry-after': '17' }, 2],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:30 GMT' }, 90],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('is read from %j', (responseHeaders, seconds) => {
    for (const status of [429, 503]) {
      expect(providerError(answered(status, { responseHeaders })).retryAfterSeconds).toBe(seconds);
    }
  });
});

describe('a failure that may pass', () => {
  it.each<[string, unknown]>([
    ...[408, 409, 425, 429, 500, 502, 503, 529].map((status): [string, unknown] => [String(status), answered(status)]),
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET'].map((code): [string, unknown] => [
      code,
      onTheWay(code),
    ]),
    ['an answer that started well', answered(200, { isRetryable: true })],
    ['half an answer', Object.assign(new Error('x'), { name: 'AI_JSONParseError' })],
  ])('is %s', (_, error) => {
    expect(mayPass(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ...[400, 401, 402, 403, 404, 413, 422].map((status): [string, unknown] => [String(status), answered(status)]),
    ['501 marked as final', answered(501, { isRetryable: false })],
    ...['ENOTFOUND', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'].map(
      (code): [string, unknown] => [code, onTheWay(code)],
    ),
    ['a refused address', new ParleyError('address_not_allowed', 'x')],
    ['an abort', new DOMException('x', 'TimeoutError')],
    ['a fault of a program', new TypeError('x is not a function')],
    ['nothing', null],
  ])('is not %s', (_, error) => {
    expect(mayPass(error)).toBe(false);
  });
});
