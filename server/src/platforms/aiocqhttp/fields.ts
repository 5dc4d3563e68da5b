/*
 * Clients are many programs, which fill the fields of the protocol with care or without. These read a field, or say that it
 * is not what it should be.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** The object, or an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, also one that was given as a number; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

/** A finite number, also one that was given as a text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/**
 * An id, the same whether it came as a number or as a text.
 * @returns null for anything else, such as a number that JSON cannot carry exactly: it might be another one's
 */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return /^[^\s\p{C}]{1,128}$/u.test(text) ? text : null;
}
