import type { components } from '@parley/client';

/** A field as the server describes it. */
export type FormField = components['schemas']['FormField'];

/** Values by the names of fields. */
export type FormValue = Record<string, unknown>;

/** Whether a field matters with these values. */
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

/** Whether a path of the server, `config.list[0]`, is that of a place or of something in it. */
export function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

/** What a new form holds. */
export function defaultsOf(fields: readonly FormField[]): FormValue {
  return Object.fromEntries(
    fields.filter((field) => field.default !== undefined).map(({ name, default: value }) => [name, value]),
  );
}
