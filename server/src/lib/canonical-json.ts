/**
 * The JSON text of a value with the fields of every object in one order, so that equal values have equal texts.
 * @throws RangeError when it is nested too deeply
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_field, inner: unknown) => (isObject(inner) ? sorted(inner) : inner)) ?? 'null';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
