import Type, { type TSchema } from 'typebox';
import type { I18nText } from './i18n-text.ts';

/** The form control of a field, if its type does not determine it. */
export type FormFieldType =
  | 'text'
  | 'float'
  | 'number'
  | 'json'
  | 'select'
  | 'prompt-editor'
  | 'model-fallback-selector'
  | 'knowledge-base-multi-selector'
  | 'embedding-model-selector'
  | 'rerank-model-selector'
  | 'webhook-url';

/**
 * Presentation of a field in forms: options of any TypeBox schema in a configuration.
 * @example Type.String({ default: '', 'x-label': { en_US: 'Name of the bot' }, 'x-form': 'text' })
 */
export interface FieldPresentation {
  /** Display name of the field; default: its key. */
  'x-label'?: I18nText;
  /** Help in more languages than `description`, which is English. */
  'x-help'?: I18nText;
  'x-form'?: FormFieldType;
  /** Names of the values of an enum; of a text, values that are suggested. In the order in which they are offered. */
  'x-options'?: Record<string, I18nText>;
  /** A form may leave the field empty. */
  'x-optional'?: boolean;
  /** Hides the field in forms; its value is preserved. */
  'x-hidden'?: boolean;
  /** The field only matters while another field of its group has (or has not) a value. */
  'x-show-if'?: { field: string; operator: 'eq' | 'neq'; value: unknown };
}

interface TextFieldOptions extends FieldPresentation {
  title?: string;
  description?: string;
  default?: string;
}

/** Marks a text of a configuration as secret: encrypted at rest, masked on read, never logged. */
export function Secret(options: TextFieldOptions = {}) {
  return Type.String({ maxLength: 65_536, ...options, 'x-secret': true });
}

/** Whether a schema was created with {@link Secret}. */
export function isSecret(schema: TSchema): boolean {
  return (schema as { 'x-secret'?: boolean })['x-secret'] === true;
}

/**
 * Marks a text as the URL that the secrets next to it are sent to. A masked secret in an update stands for the stored
 * one only while the origin of this URL is unchanged.
 */
export function Address(options: TextFieldOptions = {}) {
  return Type.String({ maxLength: 2048, ...options, 'x-address': true });
}

/** Whether a schema was created with {@link Address}. */
export function isAddress(schema: TSchema): boolean {
  return (schema as { 'x-address'?: boolean })['x-address'] === true;
}
