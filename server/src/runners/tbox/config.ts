import { requireFields } from '../../kit/services/required-fields.ts';
import { runnerConfig } from '../../kit/services/runner-config.ts';

/** Settings of the runner. */
export interface TboxConfig {
  apiKey: string;
  appId: string;
  address: string;
}

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when required settings are missing or invalid */
export function parseTboxConfig(group: Record<string, unknown>): TboxConfig {
  const config = runnerConfig('tbox-app-api', group);
  const { 'api-key': apiKey, 'app-id': appId, 'base-url': address } = config;
  requireFields('Tbox', { 'api-key': apiKey, 'app-id': appId, 'base-url': address });
  return { apiKey: apiKey.trim(), appId: appId.trim(), address };
}
