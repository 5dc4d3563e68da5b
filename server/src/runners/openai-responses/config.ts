import { requireFields } from '../../kit/services/required-fields.ts';
import { runnerConfig, timeoutMs } from '../../kit/services/runner-config.ts';

/** Settings of the runner. */
export interface ResponsesConfig {
  address: string;
  /** Empty if the service requires none. */
  apiKey: string;
  model: string;
  /** Instructions for the model in each conversation. */
  instructions: string;
  /** Longest silence of the service, milliseconds. */
  silenceTimeoutMs: number;
}

/** @throws ParleyError `invalid_request` when required settings are missing or invalid */
export function parseResponsesConfig(group: Record<string, unknown>): ResponsesConfig {
  const config = runnerConfig('openai-responses', group);
  requireFields('OpenAI Responses', { 'base-url': config['base-url'], model: config.model });
  return {
    address: config['base-url'],
    apiKey: config['api-key'].trim(),
    model: config.model.trim(),
    instructions: config.instructions,
    silenceTimeoutMs: timeoutMs(config.timeout),
  };
}
