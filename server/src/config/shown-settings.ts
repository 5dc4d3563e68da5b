import { type Config, type ConfigField, configFields, describeSetting, environmentName, fileKey } from './config.ts';
import type { ConfigSource, ConfigSources } from './load-config.ts';
import { type SettingText, settingTexts } from './setting-texts.ts';

const units = ['seconds', 'hours', 'days', 'megabytes'] as const;
export type SettingUnit = (typeof units)[number];

/** A setting as it is shown. The value of a secret is not. */
export interface ShownSetting {
  /** Its key in the file. */
  name: string;
  /** Its name in the environment. */
  variable: string;
  /** What it is called. */
  label: SettingText;
  /** What it does. */
  description: SettingText;
  /** Of a number; null for other values and for counts. */
  unit: SettingUnit | null;
  source: ConfigSource;
  secret: boolean;
  is_set: boolean;
  /** Null for a secret and for a setting without a value. */
  value: boolean | number | string | readonly string[] | null;
}

/**
 * Every setting in the order of the schema, without secrets.
 * @param sources the sources of the values; settings without an entry count as defaults
 */
export function shownSettings(config: Config, sources: Partial<ConfigSources>): ShownSetting[] {
  return configFields.map((field: ConfigField) => {
    const { secret, description } = describeSetting(field);
    const value = config[field];
    return {
      name: fileKey(field),
      variable: environmentName(field),
      ...settingTexts(field, description),
      unit: units.find((unit) => fileKey(field).endsWith(`_${unit}`)) ?? null,
      source: sources[field] ?? 'default',
      secret,
      is_set: value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
      value: secret ? null : shownValue(value),
    };
  });
}

/** Lists of objects are shown as the file would contain them. */
function shownValue(value: Config[ConfigField]): ShownSetting['value'] {
  if (!Array.isArray(value)) return value as Exclude<typeof value, readonly unknown[]>;
  return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}
