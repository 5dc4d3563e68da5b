type PlainObject = Record<string, unknown>;

/** Lays `over` on `base`: objects are joined field by field, everything else is replaced. Neither argument changes. */
export function mergeObjects(base: PlainObject, over: PlainObject): PlainObject {
  const merged: PlainObject = { ...base };
  for (const [field, value] of Object.entries(over)) {
    const existing = merged[field];
    merged[field] = isPlainObject(existing) && isPlainObject(value) ? mergeObjects(existing, value) : value;
  }
  return merged;
}

function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
