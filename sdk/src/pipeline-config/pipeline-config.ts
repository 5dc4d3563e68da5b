import Type, { type Static } from 'typebox';
import { aiConfig } from './ai-config.ts';
import { outputConfig } from './output-config.ts';
import { safetyConfig } from './safety-config.ts';
import { triggerConfig } from './trigger-config.ts';

/**
 * The configuration of a pipeline: four tabs of groups of fields, each field with its default.
 * Names and defaults are those of the reference system, so that its clients and its saved configurations fit.
 */
export const PipelineConfig = Type.Object(
  { trigger: triggerConfig, safety: safetyConfig, ai: aiConfig, output: outputConfig },
  { additionalProperties: false },
);
export type PipelineConfig = Static<typeof PipelineConfig>;
