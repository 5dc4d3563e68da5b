import { type ErrorDetail, ParleyError } from '@parley/sdk';
import { storableText } from '../../../lib/storable-text.ts';

/** Most faults that one refusal lists. */
export const maximumFaults = 20;
/** Longest name of an entry in an error, UTF-16 code units. */
const longestName = 120;

/** The refusal of a package for one entry, or for the whole where the entry is empty. */
export function refusal(entry: string, message: string, cause?: unknown): ParleyError {
  return refusals([{ path: shownEntry(entry), message }], cause);
}

/** The refusal of a package; the message is the first fault. */
export function refusals(details: readonly ErrorDetail[], cause?: unknown): ParleyError {
  const [{ path, message } = { path: '', message: 'is invalid' }] = details;
  const text = path === '' ? `The package ${message}.` : `${path}: ${message}`;
  return new ParleyError('plugin_invalid', text, { details: details.slice(0, maximumFaults), cause });
}

/** A name from the package, short enough to be shown. */
export function shownEntry(entry: string): string {
  return storableText(entry.length > longestName ? `${entry.slice(0, longestName)}…` : entry);
}
