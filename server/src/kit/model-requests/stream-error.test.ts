import { mayPass, providerError } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { streamError } from './stream-error.ts';

describe('an error that a provider reports in its stream', () => {
  it.each<[string, unknown, string, boolean]>([
    ['of Anthropic', { type: 'overloaded_error', message: 'Overloaded' }, 'answered 503: Overloaded', true],
    ['around another', { error: { message: 'Try later', code: 429 } }, 'takes no more requests', true],
    ['within a response', { response: { error: { message: 'It broke', status: '500' } } }, 'answered 500: It', true],
    ['that is final', { message: 'No', statusCode: 500, is_retryable: false }, 'answered 500: No', false],
    ['with a code of its own', { message: 'Bad input', code: 'bad_input' }, 'failed the call: Bad input', false],
    ['with the status outside', { error: { message: 'Slow' }, status_code: 504 }, 'did not answer in time', true],
    ['with a status that is none', { message: 'Odd', code: 200 }, 'failed the call: Odd', false],
  ])('%s', (_, reported, message, passes) => {
    const error = streamError(reported);
    expect(error).toBeInstanceOf(Error);
    expect(providerError(error).message).toContain(message);
    expect(mayPass(error)).toBe(passes);
  });

  it.each(['text', null, undefined, {}, { error: 'text' }, new TypeError('x')])('%j stays as it is', (reported) => {
    expect(streamError(reported)).toBe(reported);
  });
});
