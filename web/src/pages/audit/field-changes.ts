type Shown = Record<string, unknown> | null;

export interface FieldChange {
  /** `config.ai.runner` */
  path: string;
  /** Undefined if the field did not exist. */
  before: string | undefined;
  after: string | undefined;
}

/**
 * The changed fields of an entry: those of an update that differ, or all of a created or deleted record.
 * @param changed the changed paths of an update according to the server; values within may be hidden in both records
 */
export function fieldChanges(before: Shown, after: Shown, changed: readonly string[]): FieldChange[] {
  if (before !== null && after !== null) {
    return changed.map((path) => ({
      path,
      before: inWords(valueAt(before, path)),
      after: inWords(valueAt(after, path)),
    }));
  }
  if (before !== null)
    return leaves(before).map(([path, value]) => ({ path, before: inWords(value), after: undefined }));
  return leaves(after ?? {}).map(([path, value]) => ({ path, before: undefined, after: inWords(value) }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values of a record by path, without empty ones. */
function leaves(record: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([field, value]): [string, unknown][] => {
    if (isObject(value)) return leaves(value, `${prefix}${field}.`);
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [[prefix + field, value]];
  });
}

/** Field names may contain dots, so the longest match comes first. */
function valueAt(record: unknown, path: string): unknown {
  if (!isObject(record)) return undefined;
  if (Object.hasOwn(record, path)) return record[path];
  for (let at = path.indexOf('.'); at >= 0; at = path.indexOf('.', at + 1)) {
    const field = path.slice(0, at);
    if (Object.hasOwn(record, field)) return valueAt(record[field], path.slice(at + 1));
  }
  return undefined;
}

function inWords(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return JSON.stringify(value, null, 2);
}
