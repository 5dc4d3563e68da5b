import { requireFields } from '../../kit/services/required-fields.ts';
import { runnerConfig, timeoutMs } from '../../kit/services/runner-config.ts';

/** What the runner reads of its group. */
export interface CozeConfig {
  apiKey: string;
  botId: string;
  address: string;
  /** Whether the service keeps the conversation; else it is told the earlier turns each time. */
  keepsHistory: boolean;
  /** Longest silence of the service, milliseconds. */
  silenceTimeoutMs: number;
}

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when the service cannot be asked like this */
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
