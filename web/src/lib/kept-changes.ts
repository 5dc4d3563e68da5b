import { isJsonObject, jsonDifferences } from './json-differences.ts';
import { secretTexts } from './secret-texts.ts';

/** A change at a path of an object. Objects are compared key by key, everything else as a whole. */
export interface KeptChange {
  path: string[];
  /** Absent when the key was removed. */
  value?: unknown;
}

/** Stands for a secret in an element of a list. */
const secretMark = { $kept: 'secret' };

/** What is different in a value, without secrets. */
export function changesBetween(base: unknown, value: unknown): KeptChange[] {
  return jsonDifferences(base, value)
    .filter(({ after }) => !isSecret(after))
    .map(({ path, after }) => (after === undefined ? { path } : { path, value: withoutSecrets(after) }));
}

/** Applies changes. Those that do not fit, because the form is of another version now, are left out. */
export function withChanges<Value>(base: Value, changes: readonly KeptChange[]): Value {
  return changes.reduce<Value>((value, { path, ...change }) => {
    // A form has the fields that it has.
    if (path.length === 0 || (path.length === 1 && !isKeyOf(value, path[0] ?? ''))) return value;
    return changedAt(value, path, change) as Value;
  }, base);
}

/** Reads changes from storage, which anything may have been written to. */
export function keptChangesIn(stored: unknown): KeptChange[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (change): change is KeptChange =>
      isJsonObject(change) &&
      Array.isArray(change.path) &&
      change.path.every((key) => typeof key === 'string' && key !== '__proto__'),
  );
}

function changedAt(value: unknown, [key = '', ...rest]: string[], change: { value?: unknown }): unknown {
  if (value !== undefined && !isJsonObject(value)) return value;
  const object = value ?? {};
  if (rest.length > 0) return { ...object, [key]: changedAt(object[key], rest, change) };
  if (!('value' in change)) {
    const { [key]: _, ...others } = object;
    return others;
  }
  const before = object[key];
  return isSameKind(before, change.value) ? { ...object, [key]: withSecretsOf(before, change.value) } : object;
}

/** Puts stored secrets, or nothing, in the place of the marks. */
function withSecretsOf(before: unknown, kept: unknown): unknown {
  if (isSecretMark(kept)) return typeof before === 'string' ? before : '';
  if (Array.isArray(kept)) {
    // Elements have no identity but their place: a secret is only taken from one that is otherwise the same.
    return kept.map((item, index) => {
      const stored: unknown = Array.isArray(before) ? before[index] : undefined;
      return withSecretsOf(isSameButSecrets(stored, item) ? stored : undefined, item);
    });
  }
  if (!isJsonObject(kept)) return kept;
  const stored = isJsonObject(before) ? before : {};
  return Object.fromEntries(Object.entries(kept).map(([key, one]) => [key, withSecretsOf(stored[key], one)]));
}

function isSameButSecrets(stored: unknown, kept: unknown): boolean {
  if (!isJsonObject(stored) || !isJsonObject(kept)) return false;
  return Object.entries(kept).every(
    ([key, one]) => isSecretMark(one) || JSON.stringify(stored[key]) === JSON.stringify(one),
  );
}

/** Whether nothing of a value can be kept: a secret, or a list of some. */
function isSecret(value: unknown): boolean {
  if (typeof value === 'string') return secretTexts.has(value);
  return Array.isArray(value) && value.some((item) => typeof item === 'string' && secretTexts.has(item));
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return secretTexts.has(value) ? secretMark : value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutSecrets(one)]));
}

function isSecretMark(value: unknown): boolean {
  return isJsonObject(value) && value.$kept === secretMark.$kept;
}

function isSameKind(left: unknown, right: unknown): boolean {
  const isEmpty = (value: unknown) => value === undefined || value === null;
  if (isEmpty(left) || isEmpty(right)) return true;
  return typeof left === typeof right && Array.isArray(left) === Array.isArray(right);
}

function isKeyOf(value: unknown, key: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, key);
}
