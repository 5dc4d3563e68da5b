import type { FieldPresentation } from '@parley/sdk';
import type { TObject } from 'typebox';
import { type FieldPlace, markedFields, markedPlaces } from './field-places.ts';
import type { PipelineConfig, StoredConfig } from './pipeline-config.ts';

/** A model that a configuration names. */
export interface NamedModel {
  /** Place in the configuration. */
  path: string;
  /** As it is stored: in lower case. */
  uuid: string;
}

/** The value of a field for models: the first one to try, and those to fall back on. */
export interface ModelChoice {
  primary: string;
  fallbacks: string[];
}

/** Marks fields that choose language models: {@link ModelChoice}. */
const choosesModels = (field: FieldPresentation) => field['x-form'] === 'model-fallback-selector';

/** The language models that a configuration names, in the order in which they are tried; empty entries are skipped. */
export function namedModels(schema: TObject, config: StoredConfig): NamedModel[] {
  return modelPlaces(schema).flatMap(({ tab, group, field }) =>
    modelsOf(config[tab][group]?.[field] as ModelChoice | undefined, `${tab}.${group}.${field}`),
  );
}

/** The models that answer, in the order in which they are tried; none if the runner calls none of this installation. */
export function answeringModels({ runner }: PipelineConfig): string[] {
  const fields = runner.schema === null ? [] : markedFields(runner.schema, choosesModels);
  const models = fields.flatMap((field) => modelsOf(runner.settings?.[field] as ModelChoice | undefined, field));
  return [...new Set(models.map(({ uuid }) => uuid))];
}

/**
 * The configuration with another one of its models called first; the others are fallbacks, in their order.
 * @param modelUuid null, or a model that the configuration does not name, changes nothing
 */
export function withFirstModel(config: PipelineConfig, modelUuid: string | null): PipelineConfig {
  const models = answeringModels(config);
  if (modelUuid === null || modelUuid === models[0] || !models.includes(modelUuid)) return config;
  return withModels(config, { primary: modelUuid, fallbacks: models.filter((uuid) => uuid !== modelUuid) });
}

/** The configuration with any one model of this installation, and no fallbacks that could answer in its place. */
export function withOnlyModel(config: PipelineConfig, modelUuid: string): PipelineConfig {
  return withModels(config, { primary: modelUuid, fallbacks: [] });
}

function withModels(config: PipelineConfig, choice: ModelChoice): PipelineConfig {
  const [field] = config.runner.schema === null ? [] : markedFields(config.runner.schema, choosesModels);
  if (field === undefined) return config;
  return { ...config, runner: { ...config.runner, settings: { ...config.runner.settings, [field]: choice } } };
}

/** Where a configuration names models. */
export function modelPlaces(schema: TObject): FieldPlace[] {
  return markedPlaces(schema, choosesModels);
}

function modelsOf(choice: ModelChoice | undefined, path: string): NamedModel[] {
  if (choice === undefined) return [];
  return [
    { path: `${path}.primary`, uuid: choice.primary },
    ...choice.fallbacks.map((uuid, index) => ({ path: `${path}.fallbacks[${index}]`, uuid })),
  ]
    .map(({ path: place, uuid }) => ({ path: place, uuid: uuid.trim().toLowerCase() }))
    .filter(({ uuid }) => uuid !== '');
}
