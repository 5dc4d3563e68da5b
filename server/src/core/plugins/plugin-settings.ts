import { isSecret, type PluginManifest, type PluginSettings } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { isMasked } from '../../lib/mask.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { checkConfig } from '../forms/check-config.ts';
import { closedSchema } from '../forms/closed-schema.ts';
import { openConfig, openSecrets, replaceSecrets, type StoredSecrets, sealSecrets } from '../secrets/secret-fields.ts';
import type { StoredPlugin } from './plugin.ts';

type Settings = Record<string, unknown>;
type SavedSettings = Pick<StoredPlugin, 'id' | 'settings' | 'sealed_secrets'>;

/** The settings of a plugin as a schema. */
export function settingsSchema({ settings }: Pick<PluginManifest, 'settings'>): TObject {
  const schema: PluginSettings = settings ?? { type: 'object', properties: {} };
  // The manifest has JSON Schema, of which objects of TypeBox are a part.
  return schema as unknown as TObject;
}

/**
 * Saved settings as a version has them: with its defaults for what is missing, or is not valid for it any more.
 * @returns with the mask of each secret
 */
export function completeSettings(schema: TObject, saved: Settings): Settings {
  const fields = Object.entries(schema.properties as Record<string, TSchema & { default?: unknown }>);
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const value = Object.hasOwn(saved, name) ? saved[name] : undefined;
      return [name, isUsable(field, value) ? value : field.default];
    }),
  );
}

function isUsable(field: TSchema, value: unknown): boolean {
  // A mask is shorter than its secret, and says nothing where the field is none any more.
  if (typeof value === 'string' && isMasked(value)) return isSecret(field);
  return Check(field, value);
}

/**
 * Prepares submitted settings, which replace the stored ones.
 * @throws ParleyError `invalid_request` with the path of each error, or `secret_required`
 */
export function acceptSettings(
  box: SecretBox,
  schema: TObject,
  given: Settings,
  stored: SavedSettings,
): Pick<StoredPlugin, 'settings' | 'sealed_secrets'> {
  const place = 'config';
  const fields = Object.entries(schema.properties as Record<string, { default?: unknown }>);
  const settings = { ...Object.fromEntries(fields.map(([name, field]) => [name, field.default])), ...given };
  const [masked, secrets] = replaceSecrets(schema, settings, secretsOf(box, stored), place);
  // With masks in place of secrets, which were given in whole: their lengths are checked before.
  checkConfig(closedSchema(schema), withMasksFilled(settings, masked, secrets), place);
  return { settings: masked, sealed_secrets: sealSecrets(box, secrets, contextOf(stored.id)) };
}

/** Complete settings with secrets in the clear. */
export function openSettings(box: SecretBox, schema: TObject, { id, settings, sealed_secrets }: SavedSettings) {
  return openConfig(box, schema, completeSettings(schema, settings), sealed_secrets, contextOf(id));
}

function withMasksFilled(settings: Settings, masked: Settings, secrets: Record<string, string>): Settings {
  return Object.fromEntries(
    Object.keys(settings).map((name) => [name, Object.hasOwn(secrets, name) ? secrets[name] : masked[name]]),
  );
}

/** Null when they were sealed with a key that is gone: then they have to be entered again. */
function secretsOf(box: SecretBox, { id, settings, sealed_secrets }: SavedSettings): StoredSecrets | null {
  try {
    return { config: settings, secrets: openSecrets(box, sealed_secrets, contextOf(id)) };
  } catch {
    return null;
  }
}

function contextOf(id: string): string {
  return `plugin/${id}`;
}
