import { requireFields } from '../../kit/services/required-fields.ts';
import { runnerConfig, timeoutMs } from '../../kit/services/runner-config.ts';

/** What the runner reads of its group. */
export interface ResponsesConfig {
  address: string;
  /** Empty where the service asks for none. */
  apiKey: string;
  model: string;
  /** Said to the model before each conversation. */
  instructions: string;
  /** Longest silence of the service, milliseconds. */
  silenceTimeoutMs: number;
}

/** @throws ParleyError `invalid_request` when the service cannot be asked like this */
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
