import type { PipelineConfig } from '@parley/sdk';

/** A model that a configuration names. */
export interface NamedModel {
  /** Place in the configuration. */
  path: string;
  /** As it is stored: in lower case. */
  uuid: string;
}

/** The answering models of a pipeline, in the order in which they are tried; empty entries are skipped. */
export function namedModels(config: PipelineConfig): NamedModel[] {
  const { primary, fallbacks } = config.ai['local-agent'].model;
  const place = 'ai.local-agent.model';
  return [
    { path: `${place}.primary`, uuid: primary },
    ...fallbacks.map((uuid, index) => ({ path: `${place}.fallbacks[${index}]`, uuid })),
  ]
    .map(({ path, uuid }) => ({ path, uuid: uuid.trim().toLowerCase() }))
    .filter(({ uuid }) => uuid !== '');
}
