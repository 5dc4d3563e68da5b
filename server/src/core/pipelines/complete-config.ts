import { Clone, Default } from 'typebox/value';
import { mergeObjects } from '../../lib/merge-objects.ts';
import { checkConfig } from '../forms/check-config.ts';
import { PipelineConfig } from './pipeline-config.ts';

/**
 * Lays a partial configuration over the defaults.
 * @throws ParleyError `invalid_request` with the path of each fault, which begins with `config`
 */
export function completeConfig(partial: Record<string, unknown>): PipelineConfig {
  const defaults = Default(PipelineConfig, {}) as Record<string, unknown>;
  const config: unknown = mergeObjects(Clone(defaults), partial);
  checkConfig(PipelineConfig, config, 'config');
  return config;
}
