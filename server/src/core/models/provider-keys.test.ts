import { describe, expect, it } from 'vitest';
import { mask } from '../../lib/mask.ts';
import { unmaskKeys, wholeKeys } from './provider-keys.ts';

const [one, two] = ['sk-0123456789abcdefwxyz', 'sk-abcdefghijklmnop0123'];
/** Keys that look alike when they are masked. */
const [alike, twin] = ['sk-1111111111111111wxyz', 'sk-2222222222222222wxyz'];

describe('masked keys in a request', () => {
  it.each<[string, string[], string[], (string | null)[]]>([
    ['full keys', [one, two], [], [one, two]],
    ['masks of known keys', [mask(two), mask(one)], [one, two], [two, one]],
    ['a mask between full keys', ['new', mask(one)], [one], ['new', one]],
    ['a mask of an unknown key', [mask(one)], [two], [null]],
    ['an empty mask', ['…'], [one], [null]],
    ['the mask of a short key', ['…'], ['short'], ['short']],
    ['a repeated mask', [mask(one), mask(one)], [one], [one, null]],
    ['keys that look alike, in their order', [mask(alike), mask(twin)], [alike, twin], [alike, twin]],
    ['spaces around them', [` ${one} `, ` ${mask(two)}\n`, '  '], [two], [one, two, '']],
  ])('are replaced by the keys: %s', (_what, given, known, expected) => {
    expect(unmaskKeys(given, known)).toEqual(expected);
  });

  it('are stored in full and without the empty ones', () => {
    expect(wholeKeys(['', one, ' ', mask(two)], [two], 'api_keys')).toEqual([one, two]);
  });

  it('are refused when they match none', () => {
    expect(() => wholeKeys(['', one, mask(two)], [one], 'provider.api_keys')).toThrow(
      expect.objectContaining({
        reason: 'secret_required',
        details: [{ path: 'provider.api_keys[2]', message: 'is masked', rule: 'secret' }],
      }),
    );
  });

  it.each(['sk-\u0000', 'sk-é', 'sk\nwith a line', 'ключ'])('are refused when no header can carry them: %j', (key) => {
    expect(() => wholeKeys([one, key], [], 'api_keys')).toThrow(
      expect.objectContaining({
        reason: 'invalid_request',
        details: [expect.objectContaining({ path: 'api_keys[1]' })],
      }),
    );
  });
});
