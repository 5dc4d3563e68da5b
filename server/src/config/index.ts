export type { Config } from './config.ts';
export { ConfigError } from './config-error.ts';
export { decodeSecretKey } from './decode-secret-key.ts';
export { loadConfig } from './load-config.ts';
