import type { TabName } from '../../src/core/pipelines/pipeline-config.ts';
import { PipelineSchema } from '../../src/core/pipelines/pipeline-schema.ts';
import type { PipelineServiceOptions } from '../../src/core/pipelines/pipeline-service.ts';
import { createRunners, sharedSettingsGroup } from '../../src/runners/index.ts';
import { createStages } from '../../src/stages/index.ts';

export const builtInExtensions = {
  runners: createRunners({ modelTimeoutMs: 1000 }),
  stages: createStages({ sensitiveWords: async () => ({ words: [], masks: [] }) as never, fontDirectory: '' }),
  sharedGroup: sharedSettingsGroup,
};

/** The configuration of pipelines with the built-in extensions. */
export const builtInSchema = new PipelineSchema(builtInExtensions);

/** A configuration as clients and the database have it. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into settings and compare what they find
export type AnyConfig = Record<TabName, Record<string, any>>;

/** A complete configuration, from some of its fields. */
export function completeConfig(partial: Record<string, unknown> = {}): AnyConfig {
  return builtInSchema.complete(partial);
}

/** Options of a pipeline service with the built-in extensions, which allows all addresses and patterns. */
export function pipelineServiceOptions(over: Partial<PipelineServiceOptions> = {}): PipelineServiceOptions {
  return {
    maximumPipelines: -1,
    addresses: { decide: async () => () => [] },
    checkPattern: async () => null,
    schema: () => builtInSchema,
    ...over,
  };
}
