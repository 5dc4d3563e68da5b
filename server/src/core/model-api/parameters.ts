import { type ErrorDetail, invalidFields } from '@parley/sdk';

/** How the parameters of a request are taken. */
export interface ParameterRules {
  /** They mean something here. */
  used: readonly string[];
  /** Parameters of model calls, which only the pipeline may set; ignoring them is harmless. */
  ignored: readonly string[];
  /** A program that sends them relies on them, so only values without effect are accepted. */
  unsupported: Readonly<Record<string, (value: unknown) => boolean>>;
}

/** Most errors reported. */
const maximumFaults = 20;

/**
 * @param body null counts as an omitted parameter
 * @returns the given parameters that are ignored
 * @throws ParleyError `invalid_request` that names the unsupported ones
 */
export function checkParameters(body: Readonly<Record<string, unknown>>, rules: ParameterRules): string[] {
  const faults: ErrorDetail[] = [];
  const ignored: string[] = [];
  for (const [path, value] of Object.entries(body)) {
    if (rules.used.includes(path) || value === null) continue;
    if (rules.ignored.includes(path)) ignored.push(path);
    else if (!Object.hasOwn(rules.unsupported, path)) faults.push({ path, message: 'is not a known parameter' });
    else if (rules.unsupported[path]?.(value) !== true) {
      faults.push({ path, message: 'is not supported here: the pipeline decides this' });
    }
  }
  if (faults.length > 0) throw invalidFields(faults.slice(0, maximumFaults));
  return ignored;
}

/** Values without effect. */
export const isFalse = (value: unknown) => value === false;
export const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
export const isOneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);
export const never = () => false;

/** Longest name of an end user. */
const longestUser = 200;

/** The end user of the request; `safety_identifier` replaces the older name `user`. */
export function userOf({ safety_identifier: safety, user }: Readonly<Record<string, unknown>>): string | null {
  const [path, value] = safety == null ? (['user', user] as const) : (['safety_identifier', safety] as const);
  if (value == null || value === '') return null;
  if (typeof value === 'string' && value.length <= longestUser) return value;
  throw invalidFields([{ path, message: `must be a text of at most ${longestUser} characters` }]);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
