import { type components, ParleyApiError } from '@parley/client';
import { api } from '../../lib/api.ts';
import { requesterOf } from '../models/compatible-endpoint.ts';

export type Requester = components['schemas']['Requester'];
export type Provider = components['schemas']['ModelProvider'];

/** Input for a provider. An empty key means the stored one, while the address is unchanged. */
export interface ProviderEntry {
  /** As chosen, see `compatible-endpoint.ts`. */
  choice: string;
  name: string;
  base_url: string;
  api_key: string;
}

/** The provider created here before; null if it does not exist any more. */
export async function storedProvider(uuid: string | undefined): Promise<Provider | null> {
  if (uuid === undefined) return null;
  try {
    const params = { path: { provider_uuid: uuid } };
    return (await api.get('/api/v1/provider/providers/{provider_uuid}', { params })).provider;
  } catch (error) {
    if (error instanceof ParleyApiError && error.status === 404) return null;
    throw error;
  }
}

/** The stored provider if the input describes it. */
function unchanged(stored: Provider | null, { choice, base_url, api_key }: ProviderEntry): Provider | null {
  const isSame =
    stored?.requester === requesterOf(choice) && stored.base_url === base_url.trim() && api_key.trim() === '';
  return isSame ? stored : null;
}

/** The fields of the provider's record. */
function recordOf({ choice, name, base_url, api_key }: ProviderEntry) {
  const key = api_key.trim();
  return { name, requester: requesterOf(choice), base_url: base_url.trim(), api_keys: key === '' ? [] : [key] };
}

/** The provider of the input, for requests that need not find it stored. */
function described(stored: Provider | null, entry: ProviderEntry) {
  const same = unchanged(stored, entry);
  return same === null ? recordOf(entry) : { uuid: same.uuid };
}

/** The language models that a provider offers; null if it has no list. Nothing is stored. */
export async function offeredModels(stored: Provider | null, entry: ProviderEntry): Promise<string[] | null> {
  const { supported, models } = await api.post('/api/v1/provider/providers/_/available-models', {
    body: { provider: described(stored, entry) },
  });
  if (!supported) return null;
  return models.filter(({ kinds }) => kinds === undefined || kinds.includes('llm')).map(({ id }) => id);
}

/**
 * Tests a model. If it answers, stores it with its provider, and sets it as the model of the default pipeline.
 * @returns the uuid of the provider, and the response time in milliseconds
 */
export async function answerByDefault(
  stored: Provider | null,
  entry: ProviderEntry,
  name: string,
): Promise<{ providerUuid: string; milliseconds: number }> {
  const { latency_ms: milliseconds } = await api.post('/api/v1/provider/models/llm/{model_uuid}/test', {
    params: { path: { model_uuid: '_' } },
    body: { name, provider: described(stored, entry) },
  });
  const providerUuid = await saveProvider(stored, entry);
  const { models } = await api.get('/api/v1/provider/models/llm', {
    params: { query: { provider_uuid: providerUuid } },
  });
  const known = models.find((model) => model.name === name);
  const body = { name, provider_uuid: providerUuid };
  const uuid = known?.uuid ?? (await api.post('/api/v1/provider/models/llm', { body })).uuid;
  await answerWith(uuid);
  return { providerUuid, milliseconds };
}

/**
 * Creates the provider, unless it is the one created here before: that only gets a new key.
 * @returns its uuid
 */
async function saveProvider(stored: Provider | null, entry: ProviderEntry): Promise<string> {
  const same = unchanged(stored, entry);
  if (same !== null) return same.uuid;
  const body = recordOf(entry);
  if (stored?.requester !== body.requester || stored.base_url !== body.base_url) {
    return (await api.post('/api/v1/provider/providers', { body })).uuid;
  }
  const params = { path: { provider_uuid: stored.uuid } };
  await api.put('/api/v1/provider/providers/{provider_uuid}', { params, body: { api_keys: body.api_keys } });
  return stored.uuid;
}

/** Makes a model the primary one of the default pipeline. */
async function answerWith(modelUuid: string): Promise<void> {
  const { pipelines } = await api.get('/api/v1/pipelines');
  const pipeline = pipelines.find(({ is_default }) => is_default);
  if (pipeline === undefined) return;
  const config = structuredClone(pipeline.config) as PipelineConfig;
  config.ai = { ...config.ai, 'local-agent': { ...config.ai?.['local-agent'] } };
  const agent = config.ai['local-agent'] as Record<string, unknown>;
  agent.model = { primary: modelUuid, fallbacks: [] };
  await api.put('/api/v1/pipelines/{pipeline_uuid}', {
    params: { path: { pipeline_uuid: pipeline.uuid } },
    body: { config },
  });
}

interface PipelineConfig {
  ai?: { 'local-agent'?: Record<string, unknown>; [group: string]: unknown };
  [tab: string]: unknown;
}
