import { type components, ParleyApiError } from '@parley/client';
import { api } from '../../lib/api.ts';
import type { FieldDifference } from '../../lib/field-differences.ts';
import { saveIfKnown } from '../../lib/save-if-known.ts';
import { requesterOf } from '../models/compatible-endpoint.ts';
import { readTaggedProvider } from '../models/model-queries.ts';

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

/** What the guide overwrites: the model of the default pipeline, and the keys of the provider created here. */
export interface Overwritten {
  /** Uuid and name of the primary model; empty for none. */
  model: string;
  model_name: string;
  /** Masked. */
  api_keys: readonly string[];
}

/** As it is stored now. */
export async function overwrittenNow(stored: Provider | null): Promise<Overwritten> {
  const [pipeline, provider, { models }] = await Promise.all([
    defaultPipeline(),
    storedProvider(stored?.uuid),
    api.get('/api/v1/provider/models/llm'),
  ]);
  const model = pipeline === null ? '' : modelOf(pipeline);
  const model_name = models.find(({ uuid }) => uuid === model)?.name ?? '';
  return { model, model_name, api_keys: provider?.api_keys ?? [] };
}

/**
 * Tests a model. If it answers, stores it with its provider, and sets it as the model of the default pipeline.
 * @param known what may be overwritten
 * @returns the uuid of the provider, and the response time in milliseconds; or what is stored instead of `known`: then
 * nothing was
 */
export async function answerByDefault(
  stored: Provider | null,
  entry: ProviderEntry,
  { name, known }: { name: string; known: Overwritten },
): Promise<{ providerUuid: string; milliseconds: number } | { theirs: Overwritten }> {
  const { latency_ms: milliseconds } = await api.post('/api/v1/provider/models/llm/{model_uuid}/test', {
    params: { path: { model_uuid: '_' } },
    body: { name, provider: described(stored, entry) },
  });
  const theirs = await overwrittenNow(stored);
  if (overwrites(known, theirs, name).length > 0) return { theirs };
  const providerUuid = await saveProvider(stored, entry);
  const { models } = await api.get('/api/v1/provider/models/llm', {
    params: { query: { provider_uuid: providerUuid } },
  });
  const found = models.find((model) => model.name === name);
  const body = { name, provider_uuid: providerUuid };
  const uuid = found?.uuid ?? (await api.post('/api/v1/provider/models/llm', { body })).uuid;
  await answerWith(uuid);
  return { providerUuid, milliseconds };
}

/** What would be overwritten that the user does not know, beside what is entered. */
export function overwrites(known: Overwritten, theirs: Overwritten, name: string): FieldDifference[] {
  const hasOtherKeys = JSON.stringify(known.api_keys) !== JSON.stringify(theirs.api_keys);
  return [
    ...(known.model === theirs.model ? [] : [{ path: 'model', mine: name, theirs: theirs.model_name }]),
    ...(hasOtherKeys ? [{ path: 'api_key', mine: null, theirs: null }] : []),
  ];
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
  await saveIfKnown({
    read: () => readTaggedProvider(stored.uuid),
    isKnown: () => true,
    save: (headers) =>
      api.put('/api/v1/provider/providers/{provider_uuid}', {
        params: { path: { provider_uuid: stored.uuid } },
        body: { api_keys: body.api_keys },
        headers,
      }),
  });
  return stored.uuid;
}

/** Makes a model the primary one of the default pipeline, whose other settings stay as they are. */
async function answerWith(modelUuid: string): Promise<void> {
  const found = await defaultPipeline();
  if (found === null) return;
  const params = { path: { pipeline_uuid: found.uuid } };
  await saveIfKnown({
    read: async () => {
      const { data, etag } = await api.getTagged('/api/v1/pipelines/{pipeline_uuid}', { params });
      return { data: data.pipeline, etag };
    },
    isKnown: () => true,
    save: (headers, pipeline) => {
      const config = structuredClone(pipeline.config) as PipelineConfig;
      const agent = { ...config.ai?.['local-agent'], model: { primary: modelUuid, fallbacks: [] } };
      config.ai = { ...config.ai, 'local-agent': agent };
      return api.put('/api/v1/pipelines/{pipeline_uuid}', { params, body: { config }, headers });
    },
  });
}

async function defaultPipeline(): Promise<Pipeline | null> {
  const { pipelines } = await api.get('/api/v1/pipelines');
  return pipelines.find(({ is_default }) => is_default) ?? null;
}

function modelOf({ config }: Pipeline): string {
  return (config as PipelineConfig).ai?.['local-agent']?.model?.primary ?? '';
}

type Pipeline = components['schemas']['Pipeline'];

interface PipelineConfig {
  ai?: { 'local-agent'?: { model?: { primary: string; fallbacks: string[] } }; [group: string]: unknown };
  [tab: string]: unknown;
}
