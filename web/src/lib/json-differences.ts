/** A place at which two JSON values differ. */
export interface JsonDifference {
  /** Keys of objects. */
  path: string[];
  /** Undefined where a value has no such key. */
  before: unknown;
  after: unknown;
}

/** Where two values differ. Objects are compared key by key, everything else as a whole. */
export function jsonDifferences(before: unknown, after: unknown, path: string[] = []): JsonDifference[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      jsonDifferences(before[key], after[key], [...path, key]),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
