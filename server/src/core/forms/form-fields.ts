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
    advanced: Type.Optional(Type.Boolean({ description: 'True for a field that few need to change.' })),
    requires: Type.Optional(
      Type.Enum(['public_url'], {
        description: 'A setting of the installation without which the field has no effect.',
      }),
    ),
    secret: Type.Optional(Type.Boolean({ description: 'True when a read shows only a mask.' })),
  },
  { title: 'FormField' },
);
export type FormField = Static<typeof FormField>;

/** Fields that belong together. */
export const FormStage = Type.Object(
  {
    name: Type.String(),
    label: I18nText,
    description: Type.Optional(I18nText),
    config: Type.Array(FormField),
  },
  { title: 'FormStage' },
);

/** A part of a form that is shown by itself. */
export const FormTab = Type.Object(
  { name: Type.String(), label: I18nText, stages: Type.Array(FormStage) },
  { title: 'FormTab' },
);
export type FormTab = Static<typeof FormTab>;

type Described = TSchema &
  FieldPresentation & { type?: string; enum?: string[]; items?: TSchema; description?: string; default?: unknown };

/** The fields that a form for the object shows, in the schema's order. */
export function formFields(schema: TObject): FormField[] {
  const required = new Set<string>((schema as { required?: string[] }).required ?? []);
  return describedFields(schema)
    .filter(([, field]) => field['x-hidden'] !== true)
    .map(([name, field]) => ({
      ...headingOf(name, field),
      type: typeOf(field),
      required: required.has(name) && field['x-optional'] !== true,
      ...initialOf(field),
      ...optionsOf(field),
      ...(field['x-show-if'] === undefined ? {} : { show_if: field['x-show-if'] }),
      ...(field['x-advanced'] === true ? { advanced: true } : {}),
      ...(field['x-requires'] === undefined ? {} : { requires: field['x-requires'] }),
      ...(isSecret(field) ? { secret: true } : {}),
    }));
}

/** The tabs of a form for an object whose fields are tabs, whose fields are groups, in the schema's order. */
export function formTabs(schema: TObject): FormTab[] {
  return describedFields(schema).map(([name, tab]) => ({
    name,
    label: labelOf(name, tab),
    stages: describedFields(tab as TObject).map(([groupName, group]) => ({
      ...headingOf(groupName, group),
      config: formFields(group as TObject),
    })),
  }));
}

function describedFields(schema: TObject): [string, Described][] {
  return Object.entries(schema.properties as Record<string, Described>);
}

function headingOf(name: string, field: Described) {
  const help = field['x-help'] ?? (field.description === undefined ? undefined : { en_US: field.description });
  return { name, label: labelOf(name, field), ...(help === undefined ? {} : { description: help }) };
}

function labelOf(name: string, field: Described): I18nText {
  return field['x-label'] ?? { en_US: inWords(name) };
}

function initialOf(field: Described): Pick<FormField, 'default'> {
  if ('x-initial' in field) return { default: field['x-initial'] };
  return 'default' in field ? { default: field.default } : {};
}

/** The options of a choice, or the suggestions for a text. */
function optionsOf(field: Described): Pick<FormField, 'options'> {
  const named = field['x-options'];
  const values = field.enum ?? (named === undefined ? undefined : Object.keys(named));
  if (values === undefined) return {};
  return { options: values.map((value) => ({ name: value, label: named?.[value] ?? { en_US: value } })) };
}

function typeOf(field: Described): FormFieldType | 'string' | 'integer' | 'boolean' | 'array[string]' {
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
