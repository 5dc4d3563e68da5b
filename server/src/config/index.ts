export { type Config, configFields, environmentName } from './config.ts';
export { ConfigError } from './config-error.ts';
export { decodeSecretKey } from './decode-secret-key.ts';
export { type ConfigSources, type LoadConfigOptions, loadConfig, loadConfigWithSources } from './load-config.ts';
export { sharedSettingDigests } from './shared-settings.ts';
export { type ShownSetting, shownSettings } from './shown-settings.ts';
