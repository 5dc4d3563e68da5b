import { type ErrorDetail, isAddress, isProxyAddress, isSecret, ParleyError } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { isMasked, mask } from '../../lib/mask.ts';
import type { SecretBox } from '../../lib/secret-box.ts';

/** The secrets of a configuration by the dotted path of their field. */
export type SecretValues = Record<string, string>;

/** A configuration as it is stored: `config` masked, with its secrets in clear. */
export interface StoredSecrets {
  config: object;
  secrets: SecretValues;
}

interface ObjectLike {
  [field: string]: unknown;
}

/** A secret field that {@link visit} found. */
interface SecretField {
  schema: TSchema;
  /** The object of the field, and its name there. */
  holder: ObjectLike;
  field: string;
  path: string;
  /** The objects around the field, outermost first: the secret is sent to their addresses. */
  around: { schema: TObject; path: string }[];
}

/**
 * Extracts the secrets of a configuration.
 * @param place path of the configuration in the request, for the paths of errors: `config`
 * @returns the configuration with each secret masked, which is stored in clear and shown, and the secrets by path
 * @throws ParleyError `secret_required` when a field holds a masked text
 */
export function extractSecrets<Value extends object>(schema: TObject, value: Value, place = ''): [Value, SecretValues] {
  return replaceSecrets(schema, value, null, place);
}

/**
 * Extracts the secrets of a configuration that replaces a stored one. A field with the mask that a read showed retains
 * the stored secret, but only while every address next to it or around it has the same origin: else a caller who cannot
 * read the secret could have it sent to their own address.
 * @param place as for {@link extractSecrets}
 * @returns as {@link extractSecrets}
 * @throws ParleyError `secret_required` when a field holds a masked text that does not match the stored one or may not
 * stay; its details name every such field
 */
export function replaceSecrets<Value extends object>(
  schema: TObject,
  value: Value,
  stored: StoredSecrets | null,
  place = '',
): [Value, SecretValues] {
  const secrets: SecretValues = {};
  const faults: ErrorDetail[] = [];
  const masked = structuredClone(value);
  visit(schema, masked as ObjectLike, (secret) => {
    const text = secret.holder[secret.field];
    if (typeof text !== 'string' || text === '') return;
    // A placeholder that the schema offers as default is no secret.
    if (text === (secret.schema as { default?: unknown }).default) return;
    const given = isMasked(text) ? storedSecret(secret, text, masked, stored) : { secret: text };
    if ('fault' in given) {
      faults.push({
        path: place === '' ? secret.path : `${place}.${secret.path}`,
        message: given.fault,
        rule: 'secret',
      });
      return;
    }
    secrets[secret.path] = given.secret;
    secret.holder[secret.field] = mask(given.secret);
  });
  const [first] = faults;
  if (first !== undefined) {
    throw new ParleyError('secret_required', `${first.path}: ${first.message}; send the full secret`, {
      details: faults,
    });
  }
  return [masked, secrets];
}

/** Puts stored secrets in the place of their masks, as {@link replaceSecrets} does; other masks stay. */
export function fillSecrets<Value extends object>(schema: TObject, value: Value, stored: StoredSecrets): Value {
  const filled = structuredClone(value);
  visit(schema, filled as ObjectLike, (secret) => {
    const text = secret.holder[secret.field];
    if (typeof text !== 'string' || !isMasked(text)) return;
    const known = storedSecret(secret, text, filled, stored);
    if ('secret' in known) secret.holder[secret.field] = known.secret;
  });
  return filled;
}

/** Puts the secrets back where {@link extractSecrets} took them from. */
export function restoreSecrets<Value extends object>(schema: TObject, value: Value, secrets: SecretValues): Value {
  const restored = structuredClone(value);
  visit(schema, restored as ObjectLike, ({ holder, field, path }) => {
    if (Object.hasOwn(secrets, path)) holder[field] = secrets[path];
  });
  return restored;
}

/** A configuration with a placeholder in place of each secret or its mask. Defaults of the schema are no secrets. */
export function withoutSecrets<Value extends object>(schema: TObject, value: Value, word: string): Value {
  const hidden = structuredClone(value);
  visit(schema, hidden as ObjectLike, ({ schema: inner, holder, field }) => {
    const text = holder[field];
    if (text !== undefined && text !== '' && text !== (inner as { default?: unknown }).default) holder[field] = word;
  });
  return hidden;
}

/**
 * Seals secrets for one record.
 * @param context names the record; they open only under the same name
 * @returns the sealed secrets to store with the masked configuration; null when there are none
 */
export function sealSecrets(box: SecretBox, secrets: SecretValues, context: string): string | null {
  return Object.keys(secrets).length === 0 ? null : box.seal(JSON.stringify(secrets), context);
}

/**
 * The secrets of a record in clear.
 * @param sealed what {@link sealSecrets} made; null when there were none
 * @throws Error when they were sealed for another record
 */
export function openSecrets(box: SecretBox, sealed: string | null, context: string): SecretValues {
  return sealed === null ? {} : (JSON.parse(box.open(sealed, context)) as SecretValues);
}

/**
 * A configuration with its secrets in clear, for use.
 * @param sealed what {@link sealSecrets} made of {@link extractSecrets}'s secrets; null when there were none
 * @param context names the record that the secrets were sealed for
 */
export function openConfig<Value extends object>(
  box: SecretBox,
  schema: TObject,
  value: Value,
  sealed: string | null,
  context: string,
): Value {
  return sealed === null ? value : restoreSecrets(schema, value, openSecrets(box, sealed, context));
}

/** The stored secret that a mask refers to, or why it may not be used. */
function storedSecret(
  secret: SecretField,
  text: string,
  value: object,
  stored: StoredSecrets | null,
): { secret: string } | { fault: string } {
  const { path } = secret;
  if (stored === null || !Object.hasOwn(stored.secrets, path) || at(stored.config, path) !== text) {
    return { fault: 'is masked' };
  }
  // The account of a proxy is sent to the proxy only.
  const around = isProxyAddress(secret.schema) ? [] : secret.around;
  for (const { schema, path: objectPath } of around) {
    const fields = fieldsOf(schema).map(([field, inner]) => {
      return { field, inner, addressPath: objectPath === '' ? field : `${objectPath}.${field}` };
    });
    const isPlain = fields.some(({ inner, addressPath }) => isAddress(inner) && isPlainAt(value, addressPath, inner));
    for (const { field, inner, addressPath } of fields) {
      // Without encryption, a proxy reads the secrets.
      if (isPlain && isProxyAddress(inner) && isOtherSecret(value, stored, addressPath)) {
        return { fault: `is masked, and ${field} is another one than before` };
      }
      if (!isAddress(inner)) continue;
      if (originAt(stored.config, addressPath, inner) !== originAt(value, addressPath, inner)) {
        return { fault: `is masked, and ${field} leads somewhere else than before` };
      }
    }
  }
  // It has this path, see above.
  return { secret: stored.secrets[path] as string };
}

/** What decides who a call reaches: scheme, host and port, or the whole text where it is no address with a host. */
function originAt(config: object, path: string, schema: TSchema): unknown {
  // An omitted field counts as its default, which is used then.
  const text = at(config, path) ?? (schema as { default?: unknown }).default;
  const url = typeof text === 'string' ? URL.parse(text) : null;
  return url === null || url.host === '' ? text : `${url.protocol}//${url.host}`;
}

/** Whether the address of a field is called without encryption. */
function isPlainAt(config: object, path: string, schema: TSchema): boolean {
  const text = at(config, path) ?? (schema as { default?: unknown }).default;
  return typeof text === 'string' && /^(http|ws):/i.test(text.trim());
}

/** Whether a secret field has a new value, other than none. */
function isOtherSecret(config: object, stored: StoredSecrets, path: string): boolean {
  const text = at(config, path) ?? '';
  return text !== '' && text !== stored.secrets[path] && text !== at(stored.config, path);
}

function at(config: object, path: string): unknown {
  let current: unknown = config;
  for (const field of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, field)) return undefined;
    current = (current as ObjectLike)[field];
  }
  return current;
}

/** Calls `found` for each secret field of the schema whose holder is there. */
function visit(
  schema: TObject,
  value: ObjectLike,
  found: (secret: SecretField) => void,
  around: SecretField['around'] = [{ schema, path: '' }],
): void {
  const prefix = around.at(-1)?.path ?? '';
  for (const [field, inner] of fieldsOf(schema)) {
    const path = prefix === '' ? field : `${prefix}.${field}`;
    const child = value[field];
    if (isSecret(inner)) found({ schema: inner, holder: value, field, path, around });
    else if (isObjectSchema(inner) && typeof child === 'object' && child !== null) {
      visit(inner, child as ObjectLike, found, [...around, { schema: inner, path }]);
    }
  }
}

function fieldsOf(schema: TObject): [string, TSchema][] {
  return Object.entries(schema.properties as Record<string, TSchema>);
}

function isObjectSchema(schema: TSchema): schema is TObject {
  return typeof (schema as { properties?: unknown }).properties === 'object';
}
