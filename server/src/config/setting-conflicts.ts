import { isLoopback } from '../lib/loopback.ts';
import { type Config, type ConfigField, environmentName } from './config.ts';

/** The settings that are good alone and must not be set together, a line for each. */
export function settingConflicts(config: Config): string[] {
  return [...providerConflicts(config), ...setUpConflicts(config)];
}

function providerConflicts({ oidcIssuer, oidcClientId }: Config): string[] {
  if ((oidcIssuer === null) === (oidcClientId === null)) return [];
  return [`${environmentName('oidcIssuer')} and ${environmentName('oidcClientId')} must be set together`];
}

function setUpConflicts(config: Config): string[] {
  if (!config.setupWithoutToken) return [];
  const refuse = (field: ConfigField, isSo: boolean, what: string) =>
    isSo ? [`${environmentName('setupWithoutToken')} must not be true ${what} ${environmentName(field)}`] : [];
  return [
    ...refuse('host', !isLoopback(config.host), 'with another address than a loopback address in'),
    ...refuse('publicUrl', config.publicUrl !== null, 'together with'),
    ...refuse('trustedProxies', config.trustedProxies.length > 0, 'together with'),
  ];
}
