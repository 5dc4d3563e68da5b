import type { PipelineConfig } from '@parley/sdk';
import { namedModels } from './named-models.ts';

/**
 * The configuration with another one of its models called first; the others are fallbacks, in their order.
 * @param modelUuid null, or a model that the configuration does not name, changes nothing
 */
export function withFirstModel(config: PipelineConfig, modelUuid: string | null): PipelineConfig {
  const uuids = [...new Set(namedModels(config).map(({ uuid }) => uuid))];
  if (modelUuid === null || modelUuid === uuids[0] || !uuids.includes(modelUuid)) return config;
  const fallbacks = uuids.filter((uuid) => uuid !== modelUuid);
  const agent = { ...config.ai['local-agent'], model: { primary: modelUuid, fallbacks } };
  return { ...config, ai: { ...config.ai, 'local-agent': agent } };
}
