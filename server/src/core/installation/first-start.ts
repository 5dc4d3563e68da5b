import type { ModelRequester } from '@parley/sdk';
import type { InternalPlatform } from '@parley/sdk/internal';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { BotStore } from '../bots/bot-store.ts';
import type { ModelService } from '../models/model-service.ts';
import type { ProviderService } from '../models/provider-service.ts';
import type { PipelineService } from '../pipelines/pipeline-service.ts';
import type { MetadataStore } from '../system/metadata-store.ts';

const doneKey = 'first_start_done';

export interface FirstStartOptions {
  metadata: MetadataStore;
  providers: ProviderService;
  languageModels: ModelService;
  pipelines: PipelineService;
  bots: BotStore;
  requesters: readonly ModelRequester[];
  platforms: readonly InternalPlatform[];
}

/**
 * Sets up a new installation: a model that needs no key, a default pipeline and a web chat bot. Each step checks
 * whether it was done, so an interrupted first start is completed by the next one.
 */
export async function prepareFirstStart(options: FirstStartOptions): Promise<void> {
  const { metadata, providers, languageModels, pipelines, bots } = options;
  if ((await metadata.get(doneKey)) !== null) return;
  const existing = await pipelines.list({ sortBy: 'created_at', descending: false });
  const pipelineUuid =
    existing.find((pipeline) => pipeline.is_default)?.uuid ??
    (await pipelines.create(
      { name: 'Default pipeline', description: 'Answers with the default model' },
      { isDefault: true, author: 'admin' },
    ));
  const requester = options.requesters.find(
    ({ category, languageModel }) => category === 'builtin' && languageModel !== undefined,
  );
  if (requester !== undefined && (await languageModels.list()).length === 0) {
    const known = (await providers.list()).find((provider) => provider.requester === requester.name);
    const providerUuid =
      known?.uuid ?? (await providers.create({ name: requester.label.en_US, requester: requester.name, base_url: '' }));
    await languageModels.create({ name: requester.name, provider_uuid: providerUuid });
  }
  const platform = options.platforms.find((candidate) => candidate.sockets);
  if (platform !== undefined && (await bots.list()).length === 0) {
    await bots.create({
      uuid: newUuid(),
      name: platform.label.en_US,
      description: platform.description.en_US,
      adapter: platform.name,
      adapter_config: {},
      sealed_secrets: null,
      enable: true,
      use_pipeline_uuid: pipelineUuid,
      created_at: now(),
      updated_at: now(),
    });
  }
  await metadata.set(doneKey, now());
}
