import type { Platform } from '@parley/sdk';
import { Clone, Default } from 'typebox/value';
import type { SecretBox } from '../../lib/secret-box.ts';
import { checkConfig } from '../forms/check-config.ts';
import { closedSchema } from '../forms/closed-schema.ts';
import { withTypedValues } from '../forms/typed-values.ts';
import { openSecrets, replaceSecrets, type StoredSecrets, sealSecrets } from '../secrets/secret-fields.ts';
import type { StoredBot } from './bot.ts';
import { secretContext } from './bot-configs.ts';
import { requireProxyUrl } from './bot-proxy.ts';

/** What the reference system shows among the fields of any platform, and clients send back. */
const shownOnly: Readonly<Record<string, null>> = { webhook_url: null, bot_account_id: null };

/**
 * A submitted configuration with what the reference system saves otherwise corrected: fields with another name, fields
 * that are only shown, and numbers and booleans as texts. Other unknown fields stay, and are refused later.
 * @param given not modified
 */
export function correctedConfig(
  { config, config_aliases = {} }: Pick<Platform, 'config' | 'config_aliases'>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const corrected = { ...given };
  for (const [alias, name] of Object.entries({ ...shownOnly, ...config_aliases })) {
    if (!Object.hasOwn(corrected, alias) || Object.hasOwn(config.properties, alias)) continue;
    if (name !== null && !Object.hasOwn(corrected, name)) corrected[name] = corrected[alias];
    delete corrected[alias];
  }
  return withTypedValues(config, corrected) as Record<string, unknown>;
}

/**
 * Prepares a submitted configuration for storage: corrects it, fills in defaults, masks and seals secrets.
 * @param stored the record it replaces, whose secrets it may retain; null when there is none for this platform
 * @throws ParleyError `invalid_request` with the path of each error, or `secret_required`
 */
export function acceptAdapterConfig(
  platform: Platform,
  given: Record<string, unknown>,
  bot: { uuid: string; secrets: SecretBox; stored: StoredBot | null },
): Pick<StoredBot, 'adapter_config' | 'sealed_secrets'> {
  const config = Default(platform.config, Clone(correctedConfig(platform, given))) as Record<string, unknown>;
  checkConfig(closedSchema(platform.config), config, 'adapter_config');
  const context = secretContext(bot.uuid);
  const current = bot.stored === null ? null : storedSecrets(bot.secrets, bot.stored);
  const [masked, values] = replaceSecrets(platform.config, config, current, 'adapter_config');
  requireProxyUrl(platform, values);
  return { adapter_config: masked, sealed_secrets: sealSecrets(bot.secrets, values, context) };
}

/** Null when they were sealed with a lost key: then they have to be entered again. */
export function storedSecrets(
  box: SecretBox,
  stored: Pick<StoredBot, 'uuid' | 'adapter_config' | 'sealed_secrets'>,
): StoredSecrets | null {
  try {
    const secrets = openSecrets(box, stored.sealed_secrets, secretContext(stored.uuid));
    return { config: stored.adapter_config, secrets };
  } catch {
    return null;
  }
}
