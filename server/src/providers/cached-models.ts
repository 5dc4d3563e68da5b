import type { ModelConnection, ModelRequester } from '@parley/sdk';

/** Cache size per requester; the least recently used models are evicted first. */
const maximumCached = 100;

/**
 * A requester that opens each model once and hands it out again, because making a client takes a good part of the time
 * that a message does. Models that differ in anything, the key among it, are different models.
 */
export function cacheModels(requester: ModelRequester): ModelRequester {
  const { languageModel, embeddingModel, rerankingModel } = requester;
  return {
    ...requester,
    ...(languageModel && { languageModel: keeping(languageModel) }),
    ...(embeddingModel && { embeddingModel: keeping(embeddingModel) }),
    ...(rerankingModel && { rerankingModel: keeping(rerankingModel) }),
  };
}

function keeping<Model>(open: (connection: ModelConnection) => Promise<Model>) {
  // A model references the client it was opened with, so both are collected together.
  const byClient = new WeakMap<typeof fetch, Map<string, Promise<Model>>>();
  return (connection: ModelConnection): Promise<Model> => {
    const { fetch, model_name, base_url, api_key, extra_args } = connection;
    const name = JSON.stringify([model_name, base_url, api_key, extra_args]);
    const cached = byClient.get(fetch) ?? new Map<string, Promise<Model>>();
    byClient.set(fetch, cached);
    const model = cached.get(name) ?? open(connection);
    cached.delete(name);
    cached.set(name, model);
    const [oldest] = cached.keys();
    if (cached.size > maximumCached && oldest !== undefined) cached.delete(oldest);
    model.catch(() => {
      if (cached.get(name) === model) cached.delete(name);
    });
    return model;
  };
}
