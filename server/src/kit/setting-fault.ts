import { ParleyError } from '@parley/sdk';

/**
 * The error of a setting, or of a field of a request, that cannot be right.
 * @param message a sentence
 * @param rule of the field, see `fieldRules`
 */
export function settingFault(path: string, message: string, rule: string): ParleyError {
  return new ParleyError('invalid_request', message, { details: [{ path, message, rule }] });
}
