import type { ModelConnection, ModelRequester } from '@parley/sdk';

/** Models of one requester that are kept; those that were asked for least recently are closed first. */
const maximumKept = 100;

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
  // A model holds the client it was opened with, so the models go with it.
  const byClient = new WeakMap<typeof fetch, Map<string, Promise<Model>>>();
  return (connection: ModelConnection): Promise<Model> => {
    const { fetch, model_name, base_url, api_key, extra_args } = connection;
    const name = JSON.stringify([model_name, base_url, api_key, extra_args]);
    const kept = byClient.get(fetch) ?? new Map<string, Promise<Model>>();
    byClient.set(fetch, kept);
    const model = kept.get(name) ?? open(connection);
    kept.delete(name);
    kept.set(name, model);
    const [oldest] = kept.keys();
    if (kept.size > maximumKept && oldest !== undefined) kept.delete(oldest);
    model.catch(() => {
      if (kept.get(name) === model) kept.delete(name);
    });
    return model;
  };
}
