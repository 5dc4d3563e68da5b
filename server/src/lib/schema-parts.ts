import Type, { type TSchema } from 'typebox';

export const Uuid = Type.String({ format: 'uuid' });
/** ISO 8601. */
export const Timestamp = Type.String({ format: 'date-time' });
export const Count = Type.Integer({ minimum: 0 });

/** The schema of a value that may be null. */
export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
