import { invalidFields, PipelineConfig } from '@parley/sdk';
import { Clone, Default } from 'typebox/value';
import { mergeObjects } from '../../lib/merge-objects.ts';
import { checkConfig } from '../forms/check-config.ts';
import { normalizeReferenceConfig } from './reference-config.ts';

/**
 * Merges a partial configuration over the defaults. It may be one of the reference system.
 * @throws ParleyError `invalid_request` with the path of each error, which starts with `config`
 */
export function completeConfig(partial: Record<string, unknown>): PipelineConfig {
  const defaults = Default(PipelineConfig, {}) as Record<string, unknown>;
  const config: unknown = mergeObjects(Clone(defaults), normalizeReferenceConfig(partial));
  checkConfig(PipelineConfig, config, 'config');
  // Any group of `ai` may be that of a runner, but not what would be a prototype once it is copied.
  if (Object.hasOwn(config.ai, '__proto__')) {
    throw invalidFields([{ path: 'config.ai.__proto__', message: 'is not a known field' }], 'config');
  }
  return config;
}
