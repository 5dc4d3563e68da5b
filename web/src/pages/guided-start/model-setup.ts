import { type components, ParleyApiError } from '@parley/client';
import { api } from '../../lib/api.ts';

export type Requester = components['schemas']['Requester'];
export type Provider = components['schemas']['ModelProvider'];

/** Input for a provider. An empty key keeps the stored one. */
export interface ProviderEntry {
  requester: Requester;
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

/** Creates or updates the provider. @returns its uuid */
export async function saveProvider(uuid: string | null, entry: ProviderEntry): Promise<string> {
  const { requester, name, base_url, api_key } = entry;
  const keys = api_key.trim() === '' ? {} : { api_keys: [api_key.trim()] };
  const body = { name, requester: requester.name, base_url: base_url.trim(), ...keys };
  if (uuid === null) return (await api.post('/api/v1/provider/providers', { body })).uuid;
  await api.put('/api/v1/provider/providers/{provider_uuid}', { params: { path: { provider_uuid: uuid } }, body });
  return uuid;
}

/** The language models of a provider; null if it has no list. */
export async function offeredModels(providerUuid: string): Promise<string[] | null> {
  const params = { path: { provider_uuid: providerUuid } };
  const { supported, models } = await api.get('/api/v1/provider/providers/{provider_uuid}/available-models', {
    params,
  });
  if (!supported) return null;
  return models.filter(({ kinds }) => kinds === undefined || kinds.includes('llm')).map(({ id }) => id);
}

/**
 * Tests a model, and sets it as the model of the default pipeline if it answers.
 * @returns the response time, milliseconds
 */
export async function answerByDefault(providerUuid: string, name: string): Promise<number> {
  const body = { name, provider_uuid: providerUuid };
  const { latency_ms } = await api.post('/api/v1/provider/models/llm/{model_uuid}/test', {
    params: { path: { model_uuid: '_' } },
    body,
  });
  const { models } = await api.get('/api/v1/provider/models/llm', {
    params: { query: { provider_uuid: providerUuid } },
  });
  const known = models.find((model) => model.name === name);
  const uuid = known?.uuid ?? (await api.post('/api/v1/provider/models/llm', { body })).uuid;
  await answerWith(uuid);
  return latency_ms;
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
