import { isSecret, ParleyError } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { isMasked, mask } from '../../lib/mask.ts';
import type { SecretBox } from '../../lib/secret-box.ts';

/** The secrets of a configuration by the dotted path of their field. */
export type SecretValues = Record<string, string>;

interface ObjectLike {
  [field: string]: unknown;
}

/**
 * Takes the secrets out of a configuration.
 * @returns the configuration with each secret masked, which is what is stored in clear and shown, and the secrets by path
 * @throws ParleyError `secret_required` when a field holds a masked text
 */
export function extractSecrets<Value extends object>(schema: TObject, value: Value): [Value, SecretValues] {
  const secrets: SecretValues = {};
  const masked = structuredClone(value);
  visit(schema, masked as ObjectLike, '', (holder, field, path) => {
    const text = holder[field];
    if (typeof text !== 'string' || text === '') return;
    // A placeholder that the schema offers as default is no secret.
    if (text === defaultOf(schema, path)) return;
    if (isMasked(text)) {
      throw new ParleyError('secret_required', `${path}: a masked secret cannot be stored; send the whole one`, {
        details: [{ path, message: 'is masked' }],
      });
    }
    secrets[path] = text;
    holder[field] = mask(text);
  });
  return [masked, secrets];
}

/** Puts the secrets back where {@link extractSecrets} took them from. */
export function restoreSecrets<Value extends object>(schema: TObject, value: Value, secrets: SecretValues): Value {
  const restored = structuredClone(value);
  visit(schema, restored as ObjectLike, '', (holder, field, path) => {
    if (Object.hasOwn(secrets, path)) holder[field] = secrets[path];
  });
  return restored;
}

/**
 * A configuration with its secrets in clear, for use.
 * @param sealed what was sealed of {@link extractSecrets}'s secrets; null when there were none
 * @param context names the record that the secrets were sealed for
 */
export function openConfig<Value extends object>(
  box: SecretBox,
  schema: TObject,
  value: Value,
  sealed: string | null,
  context: string,
): Value {
  if (sealed === null) return value;
  return restoreSecrets(schema, value, JSON.parse(box.open(sealed, context)) as SecretValues);
}

function visit(
  schema: TObject,
  value: ObjectLike,
  prefix: string,
  found: (holder: ObjectLike, field: string, path: string) => void,
): void {
  for (const [field, inner] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const path = prefix === '' ? field : `${prefix}.${field}`;
    const child = value[field];
    if (isSecret(inner)) found(value, field, path);
    else if (isObjectSchema(inner) && typeof child === 'object' && child !== null) {
      visit(inner, child as ObjectLike, path, found);
    }
  }
}

function defaultOf(schema: TSchema, path: string): unknown {
  let current: TSchema | undefined = schema;
  for (const field of path.split('.')) {
    if (current === undefined || !isObjectSchema(current)) return undefined;
    current = (current.properties as Record<string, TSchema>)[field];
  }
  return (current as { default?: unknown } | undefined)?.default;
}

function isObjectSchema(schema: TSchema): schema is TObject {
  return typeof (schema as { properties?: unknown }).properties === 'object';
}
