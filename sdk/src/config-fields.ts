import Type, { type TSchema } from 'typebox';
import { Address, type FieldPresentation, Secret } from './config-schema.ts';
import type { I18nText } from './i18n-text.ts';

/*
 * The kinds of fields of the configuration of a runner or a stage. Each takes its label and help in English, Simplified
 * Chinese and Japanese; help may be null where the label says all.
 */

/** A text in English, Simplified Chinese and Japanese. */
export type Words = readonly [english: string, chinese: string, japanese: string];

/** Presentation of a field except for its texts. */
type Presentation = Omit<FieldPresentation, 'x-label' | 'x-help' | 'x-options'>;

export function i18n([english, chinese, japanese]: Words): I18nText {
  return { en_US: english, zh_Hans: chinese, ja_JP: japanese };
}

function words(label: Words, help: Words | null) {
  return { 'x-label': i18n(label), ...(help === null ? {} : { description: help[0], 'x-help': i18n(help) }) };
}

/** The field may be left empty in a form. */
export const optional = { 'x-optional': true } as const;

/** Hidden in the setup wizard; clients know the name of this option. */
export const notInWizard = {
  'x-show-if': { field: '__system.is_wizard', operator: 'neq', value: true },
} as const;

export function texts(label: Words, help: Words | null, initial: string[] = [], more: Presentation = {}) {
  const options = { default: initial, maxItems: 1000, ...words(label, help), ...more };
  return Type.Array(Type.String({ maxLength: 4096 }), options);
}

/** @param values in the order in which a form offers them */
export function choice<const Value extends string>(
  values: Record<Value, Words>,
  initial: NoInfer<Value>,
  label: Words,
  help: Words | null,
  more: Presentation = {},
) {
  return Type.Enum(Object.keys(values) as Value[], {
    default: initial,
    'x-options': namesOf(values),
    ...words(label, help),
    ...more,
  });
}

export function text(initial: string, label: Words, help: Words | null, more: Presentation = {}) {
  return Type.String({ default: initial, maxLength: 65_536, ...words(label, help), ...more });
}

export function secret(initial: string, label: Words, help: Words | null, more: Presentation = {}) {
  return Secret({ default: initial, ...words(label, help), ...more });
}

/** @param suggestions addresses that are often right */
export function address(
  initial: string,
  label: Words,
  help: Words | null,
  suggestions: Record<string, Words> = {},
  more: Presentation = {},
) {
  const offered = Object.keys(suggestions).length === 0 ? {} : { 'x-options': namesOf(suggestions) };
  return Address({ default: initial, ...words(label, help), ...offered, ...more });
}

export function flag(initial: boolean, label: Words, help: Words | null, more: Presentation = {}) {
  return Type.Boolean({ default: initial, ...words(label, help), ...more });
}

/** @param range least and most */
export function whole(
  initial: number,
  range: [number, number],
  label: Words,
  help: Words | null,
  more: Presentation = {},
) {
  return Type.Integer({ default: initial, minimum: range[0], maximum: range[1], ...words(label, help), ...more });
}

/** @param range least and most */
export function decimal(
  initial: number,
  range: [number, number],
  label: Words,
  help: Words | null,
  more: Presentation = {},
) {
  return Type.Number({ default: initial, minimum: range[0], maximum: range[1], ...words(label, help), ...more });
}

/** A group of fields; also a tab, whose fields are groups. */
export function group<Fields extends Record<string, TSchema>>(
  label: Words,
  help: Words | null,
  fields: Fields,
  options: Pick<FieldPresentation, 'x-before'> = {},
) {
  return Type.Object(fields, { default: {}, additionalProperties: false, ...options, ...words(label, help) });
}

function namesOf(values: Record<string, Words>): Record<string, I18nText> {
  return Object.fromEntries(Object.entries<Words>(values).map(([value, name]) => [value, i18n(name)]));
}
