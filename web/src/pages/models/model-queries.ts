import type { components, paths, Tagged } from '@parley/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { recentSince } from '../../lib/recent-use.ts';
import type { ModelKind } from './model-kind.ts';

export type Provider = components['schemas']['ModelProvider'];
export type Requester = components['schemas']['Requester'];
export type ModelPrice = components['schemas']['ModelPrice'];
export type PriceCurrency = components['schemas']['PriceCurrency'];
export type PriceSuggestion = components['schemas']['PriceSuggestion'];
export type Ability = 'vision' | 'func_call';

/** A model of any kind; only language models have abilities. */
export type Model = components['schemas']['EmbeddingModel'] & { abilities?: string[] };

export const requestersQuery = queryOptions({
  queryKey: ['requesters'],
  staleTime: 60_000,
  queryFn: async () => (await api.get('/api/v1/provider/requesters')).requesters,
});

export const providersQuery = queryOptions({
  queryKey: ['models', 'providers'],
  queryFn: async () => (await api.get('/api/v1/provider/providers')).providers,
});

export async function readProvider(uuid: string): Promise<Provider> {
  return (await readTaggedProvider(uuid)).data;
}

export async function readTaggedProvider(uuid: string): Promise<Tagged<Provider>> {
  const params = { path: { provider_uuid: uuid } };
  const { data, etag } = await api.getTagged('/api/v1/provider/providers/{provider_uuid}', { params });
  return { data: data.provider, etag };
}

export function providerQuery(uuid: string) {
  return queryOptions({ queryKey: ['models', 'providers', uuid], queryFn: () => readProvider(uuid) });
}

export function modelsQuery(kind: ModelKind) {
  return queryOptions({
    queryKey: ['models', kind],
    queryFn: async (): Promise<Model[]> => (await api.get(`/api/v1/provider/models/${kind}`)).models,
  });
}

type ModelsQuery = NonNullable<paths['/api/v1/provider/models/llm']['get']['parameters']['query']>;
/** The filters of the list, as the API takes them. */
export type ModelFilter = Pick<ModelsQuery, 'search' | 'provider_uuid'>;

/** A page of the models of a kind. */
export function modelsPageQuery(kind: ModelKind, query: ModelsQuery) {
  return queryOptions({
    queryKey: ['models', kind, 'page', query],
    queryFn: async (): Promise<{ rows: Model[]; total: number }> => {
      const { models: rows, total = rows.length } = await api.get(`/api/v1/provider/models/${kind}`, {
        params: { query },
      });
      return { rows, total };
    },
    placeholderData: keepPreviousData,
  });
}

export async function readModel(kind: ModelKind, uuid: string): Promise<Model> {
  return (await readTaggedModel(kind, uuid)).data;
}

export async function readTaggedModel(kind: ModelKind, uuid: string): Promise<Tagged<Model>> {
  const params = { path: { model_uuid: uuid } };
  const { data, etag } = await api.getTagged(`/api/v1/provider/models/${kind}/{model_uuid}`, { params });
  return { data: data.model, etag };
}

export function modelQuery(kind: ModelKind, uuid: string) {
  return queryOptions({ queryKey: ['models', kind, uuid], queryFn: () => readModel(kind, uuid) });
}

/** The models of a provider, from the provider. Refetched when a page that shows them opens, not in the background. */
export function offeredQuery(providerUuid: string) {
  return queryOptions({
    queryKey: ['offered-models', providerUuid],
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
    queryFn: () =>
      api.get('/api/v1/provider/providers/{provider_uuid}/available-models', {
        params: { path: { provider_uuid: providerUuid } },
      }),
  });
}

export const pricesQuery = queryOptions({
  queryKey: ['model-prices'],
  queryFn: async () => (await api.get('/api/v1/provider/model-prices')).model_prices,
});

/** Suggested prices of the stored models. */
export const suggestionsQuery = queryOptions({
  queryKey: ['model-prices', 'suggestions'],
  queryFn: () => api.get('/api/v1/provider/model-prices/suggestions'),
});

/** What language models were used for in the last 30 days, by name in lower case. */
export const modelUsageQuery = queryOptions({
  queryKey: ['model-usage'],
  staleTime: 60_000,
  queryFn: async () => {
    const params = { query: { groupBy: 'model', startTime: recentSince() } } as const;
    const { costs } = await api.get('/api/v1/monitoring/costs', { params });
    return new Map(costs.map((share) => [share.id.toLowerCase(), share]));
  },
});

/** The provider of a model: stored, or not yet. */
export type ModelOwner =
  | { provider_uuid: string }
  | { provider: { requester: string; base_url: string; api_keys: string[] } };

/** Input of a model. Abilities are only sent for language models. */
export type ModelEntry = ModelOwner & { name: string; extra_args?: Record<string, unknown>; abilities?: Ability[] };

export async function createModel(kind: ModelKind, entry: ModelEntry): Promise<string> {
  if (kind === 'llm') return (await api.post('/api/v1/provider/models/llm', { body: entry })).uuid;
  const { abilities: _, ...body } = entry;
  return (await api.post(`/api/v1/provider/models/${kind}`, { body })).uuid;
}

/** The result of a model test; fields that do not apply to its kind are absent. */
export interface TestedModel {
  latency_ms: number;
  usage?: { input_tokens: number | null; output_tokens: number | null };
  dimension?: number;
}

/** Tests a model with the current input, stored or not. */
export async function testModel(kind: ModelKind, { abilities: _, ...body }: ModelEntry): Promise<TestedModel> {
  const params = { path: { model_uuid: '_' } };
  return api.post(`/api/v1/provider/models/${kind}/{model_uuid}/test`, { params, body });
}

/** Sets the price of a model. */
export function savePrice(modelName: string, input_price: number, output_price: number) {
  return api.put('/api/v1/provider/model-prices/{model_name}', {
    params: { path: { model_name: modelName } },
    body: { input_price, output_price },
  });
}
