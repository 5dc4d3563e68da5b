import { type FieldPresentation, type FormFieldType, I18nText, isSecret } from '@parley/sdk';
import Type, { type Static, type TObject, type TSchema } from 'typebox';

/** A field of a form as clients of the reference system draw it. */
export const FormField = Type.Object(
  {
    name: Type.String(),
    label: I18nText,
    description: Type.Optional(I18nText),
    type: Type.String({ description: '`string`, `integer`, `boolean`, `select`, `array[string]`, …' }),
    required: Type.Boolean(),
    default: Type.Optional(Type.Unknown()),
    options: Type.Optional(Type.Array(Type.Object({ name: Type.String(), label: I18nText }))),
    show_if: Type.Optional(Type.Object({ field: Type.String(), operator: Type.String(), value: Type.Unknown() })),
    secret: Type.Optional(Type.Boolean({ description: 'True when a read shows only a mask.' })),
  },
  { title: 'FormField' },
);
export type FormField = Static<typeof FormField>;

type Described = TSchema &
  FieldPresentation & { type?: string; enum?: string[]; items?: TSchema; description?: string; default?: unknown };

/** The fields that a form for the object shows, in the schema's order. */
export function formFields(schema: TObject): FormField[] {
  const required = new Set<string>((schema as { required?: string[] }).required ?? []);
  return Object.entries(schema.properties as Record<string, Described>).map(([name, field]) => ({
    name,
    label: field['x-label'] ?? { en_US: inWords(name) },
    ...(helpOf(field) === undefined ? {} : { description: helpOf(field) as I18nText }),
    type: typeOf(field),
    required: required.has(name),
    ...('default' in field ? { default: field.default } : {}),
    ...(field.enum === undefined ? {} : { options: field.enum.map((value) => optionOf(field, value)) }),
    ...(field['x-show-if'] === undefined ? {} : { show_if: field['x-show-if'] }),
    ...(isSecret(field) ? { secret: true } : {}),
  }));
}

function helpOf(field: Described): I18nText | undefined {
  return field['x-help'] ?? (field.description === undefined ? undefined : { en_US: field.description });
}

function optionOf(field: Described, value: string) {
  return { name: value, label: field['x-options']?.[value] ?? { en_US: value } };
}

function typeOf(field: Described): FormFieldType | 'string' | 'integer' | 'boolean' | 'select' | 'array[string]' {
  if (field['x-form'] !== undefined) return field['x-form'];
  if (field.enum !== undefined) return 'select';
  switch (field.type) {
    case 'integer':
    case 'boolean':
      return field.type;
    case 'number':
      return 'float';
    case 'array':
      return 'array[string]';
    case 'object':
      return 'json';
    default:
      return 'string';
  }
}

/** `markdown_card` is "Markdown card". */
function inWords(name: string): string {
  const words = name.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
