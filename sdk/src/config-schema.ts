import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { Check, Default } from 'typebox/value';
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
  /** Value in a form for a new record, where it differs from the default that stored records without the field have. */
  'x-initial'?: unknown;
  /** Few need to change the field: a form shows it folded. */
  'x-advanced'?: boolean;
  /** Hides the field in forms; its value is preserved. */
  'x-hidden'?: boolean;
  /** The field only matters while another field of its group has (or has not) a value. */
  'x-show-if'?: { field: string; operator: 'eq' | 'neq'; value: unknown };
  /** What the installation needs for the field to have an effect; a form says so where it is missing. */
  'x-requires'?: 'public_url';
  /** Place in a group or tab that several owners share: before the field or group of this name. Default: at the end. */
  'x-before'?: string;
  /**
   * Another name under which programs write the field. `wins` decides which of the two counts where both are given.
   */
  'x-alias'?: { name: string; wins: boolean };
  /** A number outside its limits becomes the nearest one, instead of being refused. */
  'x-clamp'?: boolean;
  /** Each entry of the list is a regular expression in RE2 syntax, which is checked when it is saved. */
  'x-patterns'?: boolean;
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

/**
 * Marks a text as the URL of an HTTP proxy, `http://user:password@host:port` or https; empty for none. It is a secret, as it
 * may contain a password.
 */
export function ProxyAddress(options: TextFieldOptions = {}) {
  const { default: initial = '', ...rest } = options;
  return Type.String({
    maxLength: 2048,
    default: initial,
    ...rest,
    'x-optional': true,
    'x-secret': true,
    'x-proxy': true,
  });
}

/** Whether a schema was created with {@link ProxyAddress}. */
export function isProxyAddress(schema: TSchema): boolean {
  return (schema as { 'x-proxy'?: boolean })['x-proxy'] === true;
}

/**
 * Reads a stored configuration: a field that is missing or invalid has its default, and unknown fields are dropped.
 * @param value an object, or anything else for the defaults; not modified
 */
export function readConfig<Schema extends TObject>(schema: Schema, value: unknown): Static<Schema> {
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const fields = Object.entries(schema.properties as Record<string, TSchema>).map(([name, field]) => {
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    return [name, own !== undefined && Check(field, own) ? own : Default(field, undefined)];
  });
  return Object.fromEntries(fields) as Static<Schema>;
}
