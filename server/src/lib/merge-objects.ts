type PlainObject = Record<string, unknown>;

/** Lays `over` on `base`: objects are joined field by field, everything else is replaced. Neither argument changes. */
export function mergeObjects(base: PlainObject, over: PlainObject): PlainObject {
  const merged = new Map(Object.entries(base));
  for (const [field, value] of Object.entries(over)) {
    const existing = merged.get(field);
    merged.set(field, isPlainObject(existing) && isPlainObject(value) ? mergeObjects(existing, value) : value);
  }
  // Unlike an assignment, this makes `__proto__` a field like any other.
  return Object.fromEntries(merged);
}

function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
