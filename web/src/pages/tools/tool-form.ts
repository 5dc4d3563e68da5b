import type { FormField, FormValue } from '../../components/forms/form-field.ts';

/** A field of a form for the parameters of a tool. */
export interface ToolField {
  field: FormField;
  /** The fields of a nested object; its form is shown in place of a control. */
  fields?: ToolField[];
  /** Its JSON may have a secret in it. */
  hasSecrets?: true;
}

type Schema = Record<string, unknown>;

/** Objects deeper than this are edited as JSON. */
const deepestForm = 3;
/** Most references that are followed to find one schema. */
const mostReferences = 20;

/**
 * The fields for the parameters of a tool. What a form cannot show is a field of the type `json`.
 * @param schema JSON Schema of the tool, which may be anything
 * @returns null for parameters that are only edited as a whole, as JSON
 */
export function toolFields(schema: unknown): ToolField[] | null {
  return isObject(schema) ? fieldsOf(schema, schema, deepestForm) : null;
}

function fieldsOf(schema: Schema, root: Schema, depth: number): ToolField[] | null {
  const { properties = {}, required, additionalProperties } = schema;
  if (depth === 0 || !isObject(properties)) return null;
  const names = Object.keys(properties);
  // Fields of any name, or of one of several shapes.
  if (names.length === 0 && (isObject(additionalProperties) || additionalProperties === true)) return null;
  if (['allOf', 'anyOf', 'oneOf', '$ref'].some((word) => schema[word] !== undefined)) return null;
  return names.map((name) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    return fieldOf(name, { schema: resolved(properties[name], root), root, depth, isRequired });
  });
}

interface Place {
  schema: Schema;
  root: Schema;
  depth: number;
  isRequired: boolean;
}

function fieldOf(name: string, { schema, root, depth, isRequired }: Place): ToolField {
  const { description } = schema;
  const fields = schema.type === 'object' ? fieldsOf(schema, root, depth - 1) : null;
  const isNested = fields !== null && fields.length > 0;
  const type = isNested ? 'json' : typeOf(schema);
  const options = type === 'select' ? (schema.enum as string[]) : undefined;
  const field: FormField = {
    name,
    label: plain(name),
    type,
    required: isRequired,
    ...(typeof description === 'string' && description !== '' ? { description: plain(description) } : {}),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(options === undefined ? {} : { options: options.map((option) => ({ name: option, label: plain(option) })) }),
    ...(isSecret(schema) ? { secret: true } : {}),
  };
  if (isNested) return { field, fields };
  const mayHaveSecrets = type === 'json' && (hasSecrets(schema) || (hasReferences(schema) && hasSecrets(root)));
  return { field, ...(mayHaveSecrets ? { hasSecrets: true } : {}) };
}

function isSecret({ format, writeOnly }: Schema): boolean {
  return format === 'password' || writeOnly === true;
}

/** Whether a schema has a secret anywhere. */
export function hasSecrets(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasSecrets);
  return isObject(schema) && (isSecret(schema) || Object.values(schema).some(hasSecrets));
}

function hasReferences(schema: Schema): boolean {
  return JSON.stringify(schema).includes('"$ref"');
}

/** The type of a field that shows a schema, in the words of the server's forms. */
function typeOf({ type, enum: values, items, maxLength, format }: Schema): string {
  if (Array.isArray(values)) {
    return values.length > 0 && values.every((value) => typeof value === 'string') ? 'select' : 'json';
  }
  switch (type) {
    case 'string':
      return (typeof maxLength === 'number' && maxLength > 500) || format === 'textarea' ? 'text' : 'string';
    case 'integer':
    case 'number':
    case 'boolean':
      return type;
    case 'array':
      return isObject(items) && items.type === 'string' && items.pattern === undefined ? 'array[string]' : 'json';
    default:
      return 'json';
  }
}

/** Follows references within the schema, and takes the one alternative to null. */
function resolved(given: unknown, root: Schema): Schema {
  let schema: Schema = isObject(given) ? given : {};
  for (let step = 0; step < mostReferences; step += 1) {
    const { $ref: reference, anyOf, oneOf, type, ...rest } = schema;
    if (typeof reference === 'string') {
      const found = atPointer(root, reference);
      if (found === null) return {};
      schema = { ...found, ...rest };
      continue;
    }
    const choices = [anyOf ?? oneOf].flat().filter((one) => isObject(one) && one.type !== 'null') as Schema[];
    if (choices.length === 1) {
      schema = { ...choices[0], ...rest };
      continue;
    }
    const types = [type].flat().filter((one) => one !== 'null');
    return choices.length > 1 || types.length !== 1 ? { ...schema, type: undefined } : { ...schema, type: types[0] };
  }
  return {};
}

/** `#/$defs/place` */
function atPointer(root: Schema, reference: string): Schema | null {
  if (!reference.startsWith('#/')) return null;
  let found: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return isObject(found) ? found : null;
}

/** The parameters as the tool receives them: without optional fields that were left empty. */
export function parametersOf(fields: readonly ToolField[], value: FormValue): FormValue {
  return Object.fromEntries(
    fields.flatMap(({ field: { name, type, required, default: initial }, fields: nested }): [string, unknown][] => {
      const given = Object.hasOwn(value, name) ? value[name] : initial;
      if (nested !== undefined) {
        const inner = parametersOf(nested, isObject(given) ? given : {});
        return required || Object.keys(inner).length > 0 ? [[name, inner]] : [];
      }
      if (type === 'boolean' && required) return [[name, given === true]];
      const isEmpty = given === undefined || given === null || given === '' || isEmptyList(given);
      if (!isEmpty) return [[name, given]];
      if (!required) return [];
      // What was emptied is sent as it is; the server says what was never entered.
      return given === '' || isEmptyList(given) ? [[name, given]] : [];
    }),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Texts of a tool are in no language that is known. */
function plain(text: string): FormField['label'] {
  return { en_US: text };
}
