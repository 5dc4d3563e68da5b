import { requireFields } from '../../kit/services/required-fields.ts';
import { runnerConfig } from '../../kit/services/runner-config.ts';

/** What the runner reads of its group. */
export interface DashscopeConfig {
  kind: 'agent' | 'workflow';
  apiKey: string;
  appId: string;
  address: string;
  /** Said before the documents that an answer is based on. */
  quoteWords: string;
}

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when the service cannot be asked like this */
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
