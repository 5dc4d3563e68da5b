import type { Platform } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { Clone, Default } from 'typebox/value';
import type { SecretBox } from '../../lib/secret-box.ts';
import { checkConfig } from '../forms/check-config.ts';
import { openSecrets, replaceSecrets, type StoredSecrets, sealSecrets } from '../secrets/secret-fields.ts';
import type { StoredBot } from './bot.ts';
import { secretContext } from './bot-runtime.ts';

/**
 * Makes what is stored of a configuration that somebody sent: with defaults filled in, secrets masked and sealed.
 * @param stored the record it replaces, whose secrets it may keep; null when there is none for this platform
 * @throws ParleyError `invalid_request` with the path of each fault, or `secret_required`
 */
export function acceptAdapterConfig(
  platform: Platform,
  given: Record<string, unknown>,
  bot: { uuid: string; secrets: SecretBox; stored: StoredBot | null },
): Pick<StoredBot, 'adapter_config' | 'sealed_secrets'> {
  const config = Default(platform.config, Clone(given)) as Record<string, unknown>;
  checkConfig(closed(platform.config), config, 'adapter_config');
  const context = secretContext(bot.uuid);
  const kept = bot.stored === null ? null : storedSecrets(bot.secrets, bot.stored);
  const [masked, values] = replaceSecrets(platform.config, config, kept, 'adapter_config');
  return { adapter_config: masked, sealed_secrets: sealSecrets(bot.secrets, values, context) };
}

/** Null when they were sealed with a key that is gone: then they have to be entered again. */
function storedSecrets(box: SecretBox, stored: StoredBot): StoredSecrets | null {
  try {
    const secrets = openSecrets(box, stored.sealed_secrets, secretContext(stored.uuid));
    return { config: stored.adapter_config, secrets };
  } catch {
    return null;
  }
}

/** The same schema for strict reading: objects that do not say otherwise hold nothing but their known fields. */
function closed<Schema extends TSchema>(schema: Schema): Schema {
  const { properties, additionalProperties } = schema as unknown as Partial<TObject> & {
    additionalProperties?: unknown;
  };
  if (properties === undefined) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, closed(field)])),
    additionalProperties: additionalProperties ?? false,
  };
}
