import type { components } from '@parley/client';

/** A field in a schema of the server. */
export type FormField = components['schemas']['FormField'];

/** Values by field name. */
export type FormValue = Record<string, unknown>;

/** The values that a form shows: defaults where there are none. */
export function withDefaults(fields: readonly FormField[], value: FormValue): FormValue {
  return { ...value, ...Object.fromEntries(fields.map(({ name, default: other }) => [name, value[name] ?? other])) };
}

/** Whether a field is relevant for these values. */
export function isShown(field: FormField, value: FormValue): boolean {
  if (field.show_if === undefined) return true;
  const { field: other, operator, value: wanted } = field.show_if;
  const actual = value[other];
  switch (operator) {
    case 'neq':
      return actual !== wanted;
    case 'in':
      return Array.isArray(wanted) && wanted.includes(actual);
    default:
      return actual === wanted;
  }
}

/** Initial values of a form. */
export function defaultsOf(fields: readonly FormField[]): FormValue {
  return Object.fromEntries(
    fields.filter((field) => field.default !== undefined).map(({ name, default: value }) => [name, value]),
  );
}
