/* Reading what services send: anything may be missing or of another type. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The record in a field; an empty one when there is none. */
export function recordAt(value: unknown, field: string): Record<string, unknown> {
  const found = isRecord(value) ? value[field] : undefined;
  return isRecord(found) ? found : {};
}

/** The text in a field; empty when there is none. */
export function textAt(value: unknown, field: string): string {
  const found = isRecord(value) ? value[field] : undefined;
  return typeof found === 'string' ? found : '';
}

/** The list in a field; empty when there is none. */
export function listAt(value: unknown, field: string): unknown[] {
  const found = isRecord(value) ? value[field] : undefined;
  return Array.isArray(found) ? found : [];
}

/** A number of tokens; 0 when there is none. */
export function countAt(value: unknown, field: string): number {
  const found = isRecord(value) ? value[field] : undefined;
  const count = typeof found === 'string' ? Number(found) : found;
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? Math.min(Math.trunc(count), 1e12) : 0;
}

/** An identifier from a service, if short enough to store; else null. */
export function identifierAt(value: unknown, field: string): string | null {
  const found = isRecord(value) ? value[field] : undefined;
  return typeof found === 'string' && found !== '' && found.length <= 1000 ? found : null;
}
