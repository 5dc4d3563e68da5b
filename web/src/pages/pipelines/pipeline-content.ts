import type { Pipeline } from './pipeline-queries.ts';

/** What is edited of a pipeline, and changes from version to version. */
export type PipelineContent = Pick<Pipeline, 'name' | 'description' | 'emoji' | 'config' | 'extensions_preferences'>;

export const contentOf = ({ name, description, emoji, config, extensions_preferences }: PipelineContent) => ({
  name,
  description,
  emoji,
  config,
  extensions_preferences,
});
