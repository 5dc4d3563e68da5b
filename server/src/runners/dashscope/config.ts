import { requireFields } from '../../kit/services/required-fields.ts';
import { runnerConfig } from '../../kit/services/runner-config.ts';

/** Settings of the runner. */
export interface DashscopeConfig {
  kind: 'agent' | 'workflow';
  apiKey: string;
  appId: string;
  address: string;
  /** Text before the names of the documents that an answer is based on. */
  quoteWords: string;
}

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when required settings are missing or invalid */
export function parseDashscopeConfig(group: Record<string, unknown>): DashscopeConfig {
  const config = runnerConfig('dashscope-app-api', group);
  const { 'api-key': apiKey, 'app-id': appId, 'base-url': address } = config;
  requireFields('Alibaba Cloud Model Studio', { 'api-key': apiKey, 'app-id': appId, 'base-url': address });
  return {
    kind: config['app-type'],
    apiKey: apiKey.trim(),
    appId: appId.trim(),
    address,
    quoteWords: config.references_quote,
  };
}
