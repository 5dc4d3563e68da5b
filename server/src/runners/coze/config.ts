import { requireFields } from '../../kit/services/required-fields.ts';
import { runnerConfig, timeoutMs } from '../../kit/services/runner-config.ts';

/** Settings of the runner. */
export interface CozeConfig {
  apiKey: string;
  botId: string;
  address: string;
  /** Whether the service stores the conversation; otherwise each request includes the history. */
  keepsHistory: boolean;
  /** Longest silence of the service, milliseconds. */
  silenceTimeoutMs: number;
}

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when required settings are missing or invalid */
export function parseCozeConfig(group: Record<string, unknown>): CozeConfig {
  const config = runnerConfig('coze-api', group);
  const { 'api-key': apiKey, 'bot-id': botId, 'api-base': address } = config;
  requireFields('Coze', { 'api-key': apiKey, 'bot-id': botId, 'api-base': address });
  return {
    apiKey: apiKey.trim(),
    botId: botId.trim(),
    address,
    keepsHistory: config['auto-save-history'],
    silenceTimeoutMs: timeoutMs(config.timeout),
  };
}
