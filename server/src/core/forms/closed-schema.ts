import type { TObject, TSchema } from 'typebox';

/** The same schema for strict validation: objects without an own rule accept only known fields. */
export function closedSchema<Schema extends TSchema>(schema: Schema): Schema {
  const { properties, additionalProperties } = schema as unknown as Partial<TObject> & {
    additionalProperties?: unknown;
  };
  if (properties === undefined) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, closedSchema(field)])),
    additionalProperties: additionalProperties ?? false,
  };
}
