import type { TSchema } from 'typebox';

type Described = TSchema & { type?: string; properties?: Record<string, Described>; items?: Described };

const truths: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

const numbers: Record<string, RegExp> = {
  integer: /^[+-]?\d+$/,
  number: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
};

/**
 * Converts texts to the numbers and booleans that the schema has in their place, as the reference system accepts them.
 * A text that is no such value stays a text. Goes no deeper than the schema.
 * @param value not validated; not modified
 */
export function withTypedValues(schema: TSchema, value: unknown): unknown {
  const { type, properties, items } = schema as Described;
  if (typeof value === 'string') return readText(type, value);
  if (Array.isArray(value)) return items === undefined ? value : value.map((entry) => withTypedValues(items, entry));
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, field === undefined ? inner : withTypedValues(field, inner)];
    }),
  );
}

/** @param type of the schema: `integer`, `number`, `boolean`, or another one, for which the text stays */
export function readText(type: string | undefined, text: string): unknown {
  const word = text.trim().toLowerCase();
  if (type === 'boolean') return Object.hasOwn(truths, word) ? truths[word] : text;
  const isNumber = type !== undefined && numbers[type]?.test(word) && Number.isFinite(Number(word));
  return isNumber ? Number(word) : text;
}
