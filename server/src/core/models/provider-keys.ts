import { invalidFields, ParleyError } from '@parley/sdk';
import { isMasked, mask } from '../../lib/mask.ts';

/**
 * Replaces masked keys by the stored ones.
 * @param given full keys and masks
 * @param known the stored keys; each is used once, so that keys with the same mask keep their order
 * @returns one entry for each that was given: the key, or null for a mask that matches none
 */
export function unmaskKeys(given: readonly string[], known: readonly string[]): (string | null)[] {
  const left = [...known];
  return given.map((text) => {
    const key = text.trim();
    if (!isMasked(key)) return key;
    const place = left.findIndex((candidate) => mask(candidate) === key);
    return place < 0 ? null : (left.splice(place, 1)[0] ?? null);
  });
}

/**
 * The keys to store: in full, without empty ones.
 * @param path of the list, for errors
 * @throws ParleyError `secret_required` for a mask that matches none of the known keys
 */
export function wholeKeys(given: readonly string[], known: readonly string[], path: string): string[] {
  const keys = unmaskKeys(given, known);
  const masked = keys.indexOf(null);
  if (masked >= 0) throw wholeKeyRequired(`${path}[${masked}]`, 'is masked');
  const complete = keys as string[];
  // A key with characters that headers cannot carry would fail each call and appear in the error message.
  const odd = complete.findIndex((key) => !/^[\x20-\x7e]*$/.test(key));
  if (odd >= 0)
    throw invalidFields([{ path: `${path}[${odd}]`, message: 'must consist of ASCII characters', rule: 'ascii' }]);
  return complete.filter((key) => key !== '');
}

export function wholeKeyRequired(path: string, message: string): ParleyError {
  const text = 'Stored keys go to no other requester or address than before; send the full key';
  return new ParleyError('secret_required', text, { details: [{ path, message, rule: 'secret' }] });
}
