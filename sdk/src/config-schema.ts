import Type, { type TSchema } from 'typebox';

/** Marks a text of a configuration as secret: encrypted at rest, masked on read, never logged. */
export function Secret(options: { title?: string; description?: string; default?: string } = {}) {
  return Type.String({ ...options, 'x-secret': true });
}

/** Whether a schema was made with {@link Secret}. */
export function isSecret(schema: TSchema): boolean {
  return (schema as { 'x-secret'?: boolean })['x-secret'] === true;
}
