import { ParleyError } from '@parley/sdk';
import { requireFields } from '../../kit/services/required-fields.ts';
import { runnerConfig } from '../../kit/services/runner-config.ts';
import { isRecord } from '../../kit/services/values.ts';

/** Settings of the runner. */
export interface LangflowConfig {
  address: string;
  apiKey: string;
  flowId: string;
  inputType: string;
  outputType: string;
  /** Settings of components that are replaced. */
  tweaks: Record<string, unknown>;
}

const defaultType = 'chat';

/** @throws ParleyError `provider_unauthorized` or `invalid_request` when required settings are missing or invalid */
export function parseLangflowConfig(group: Record<string, unknown>): LangflowConfig {
  const config = runnerConfig('langflow-api', group);
  const { 'base-url': address, 'api-key': apiKey, 'flow-id': flowId } = config;
  requireFields('Langflow', { 'base-url': address, 'api-key': apiKey, 'flow-id': flowId });
  return {
    address,
    apiKey: apiKey.trim(),
    flowId: flowId.trim(),
    inputType: config['input-type'].trim() || defaultType,
    outputType: config['output-type'].trim() || defaultType,
    tweaks: parseTweaks(config.tweaks),
  };
}

function parseTweaks(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  let tweaks: unknown;
  try {
    tweaks = JSON.parse(text);
  } catch {
    // Reported below, as for JSON of another type.
  }
  if (isRecord(tweaks)) return tweaks;
  throw new ParleyError('invalid_request', 'Langflow: the tweaks of the pipeline are not a JSON object.');
}
