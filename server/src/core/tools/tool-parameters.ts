import { isDeeperThan } from '../../lib/nesting.ts';

/** Deeper than any tool needs; more would exhaust the stack of recursive code. */
const maximumDepth = 50;
/** Longest parameters of one call, characters of JSON. */
const maximumLength = 262_144;

/** Parsed parameters with their JSON, or the error in them. */
export type CheckedParameters =
  | { value: Record<string, unknown>; json: string; fault: null }
  | { value: null; json: string; fault: string };

/** Parses the parameters of a tool call: an object of limited size. No value at all counts as `{}`. */
export function readParameters(given: unknown): CheckedParameters {
  const value = given === undefined || given === null || given === '' ? {} : given;
  if (isDeeperThan(value, maximumDepth)) {
    return { value: null, json: '', fault: `they may be nested at most ${maximumDepth} deep` };
  }
  const json = JSON.stringify(value);
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { value: null, json, fault: 'they must be a JSON object' };
  }
  if (json.length > maximumLength) return { value: null, json, fault: 'they are too long' };
  return { value: value as Record<string, unknown>, json, fault: null };
}
