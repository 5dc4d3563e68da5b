import { type ErrorDetail, invalidFields, ParleyError } from '@parley/sdk';
import { Check, Clone, Default, Errors } from 'typebox/value';
import { now } from '../../lib/clock.ts';
import { mergeObjects } from '../../lib/merge-objects.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { extractSecrets, openConfig, sealSecrets } from '../secrets/secret-fields.ts';
import { apiVersion } from '../system/system-info.ts';
import {
  type CreatePipeline,
  ExtensionsPreferences,
  type Pipeline,
  type PipelineListing,
  pipelineStages,
  type StoredPipeline,
} from './pipeline.ts';
import { PipelineConfig } from './pipeline-config.ts';
import type { PipelineStore } from './pipeline-store.ts';

/** Pipelines and their configuration. */
export class PipelineService {
  readonly #store: PipelineStore;
  readonly #secrets: SecretBox;

  constructor(store: PipelineStore, secrets: SecretBox) {
    this.#store = store;
    this.#secrets = secrets;
  }

  list(listing: PipelineListing): Promise<Pipeline[]> {
    return this.#store.list(listing);
  }

  async get(uuid: string): Promise<Pipeline> {
    const pipeline = isUuid(uuid) ? await this.#store.byUuid(uuid.toLowerCase()) : null;
    if (pipeline === null) throw new ParleyError('not_found', 'pipeline not found');
    return pipeline;
  }

  /** The whole configuration with its secrets in clear, for running a message; null when the pipeline is gone. */
  async configForRun(uuid: string): Promise<PipelineConfig | null> {
    const stored = await this.#store.storedByUuid(uuid);
    if (stored === null) return null;
    return openConfig(this.#secrets, PipelineConfig, stored.config, stored.sealed_secrets, secretContext(uuid));
  }

  /** @returns the new pipeline's uuid */
  async create(request: CreatePipeline, options: { isDefault?: boolean } = {}): Promise<string> {
    const uuid = newUuid();
    const [config, secrets] = extractSecrets(PipelineConfig, completeConfig(request.config ?? {}), 'config');
    const stored: StoredPipeline = {
      uuid,
      name: request.name,
      description: request.description ?? '',
      emoji: request.emoji === undefined ? '⚙️' : request.emoji,
      for_version: `v${apiVersion}`,
      is_default: options.isDefault ?? false,
      stages: pipelineStages,
      config,
      extensions_preferences: Default(ExtensionsPreferences, {
        ...request.extensions_preferences,
      }) as ExtensionsPreferences,
      sealed_secrets: sealSecrets(this.#secrets, secrets, secretContext(uuid)),
      created_at: now(),
      updated_at: now(),
    };
    await this.#store.create(stored);
    return uuid;
  }

  /** Gives the default pipeline its model, unless it was given one that `isPlaceholder` does not know. */
  async adoptModel(modelUuid: string, isPlaceholder: (uuid: string) => Promise<boolean>): Promise<void> {
    const pipeline = await this.#store.default();
    if (pipeline === null) return;
    const current = pipeline.config.ai['local-agent'].model.primary;
    if (current !== '' && !(await isPlaceholder(current))) return;
    const config = structuredClone(pipeline.config);
    config.ai['local-agent'].model = { primary: modelUuid, fallbacks: [] };
    await this.#store.updateConfig(pipeline.uuid, config, now());
  }
}

function secretContext(uuid: string): string {
  return `pipeline/${uuid}`;
}

/**
 * Lays a partial configuration over the defaults.
 * @throws ParleyError `invalid_request` with the path of each fault
 */
export function completeConfig(partial: Record<string, unknown>): PipelineConfig {
  const defaults = Default(PipelineConfig, {}) as PipelineConfig;
  const config = mergeObjects(Clone(defaults) as unknown as Record<string, unknown>, partial);
  if (!Check(PipelineConfig, config)) {
    const details: ErrorDetail[] = Errors(PipelineConfig, config)
      .filter((error) => error.keyword !== 'boolean' && error.keyword !== 'anyOf')
      .slice(0, 20)
      .map((error) => ({ path: `config${error.instancePath.replace(/\//g, '.')}`, message: error.message }));
    throw invalidFields(details, 'config');
  }
  return config;
}
