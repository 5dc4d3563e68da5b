import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { fetchWithCleanErrors } from '../../kit/model-calls/fetch-with-clean-errors.ts';
import { modelFetch, trimmedAddress } from '../../kit/model-calls/model-fetch.ts';
import { listModels, openAiListing } from '../../kit/model-calls/model-list.ts';
import { mergeObjects } from '../../lib/merge-objects.ts';
import { createRerankingModel } from './reranking-model.ts';
import { type OpenAiCompatibleService, services } from './services.ts';

/** Every service that speaks the chat-completions protocol of OpenAI, or its siblings for vectors and ranking. */
export const openAiCompatible: ModelRequester[] = services.map(createRequester);

function createRequester(service: OpenAiCompatibleService): ModelRequester {
  const { name, support_type, brand } = service;
  return {
    name,
    label: service.label,
    ...(brand !== undefined && { brand }),
    description: {
      en_US: `Models of ${service.label.en_US} through its OpenAI-compatible API.`,
      zh_Hans: `通过 OpenAI 兼容接口使用 ${service.label.zh_Hans ?? service.label.en_US} 的模型。`,
      ja_JP: `OpenAI互換APIで${service.label.en_US}のモデルを使います。`,
    },
    category: service.category,
    support_type,
    default_base_url: service.default_base_url,
    ...(support_type.includes('llm') && {
      languageModel: (connection) => openLanguageModel(service, connection),
    }),
    ...(support_type.includes('text-embedding') && {
      embeddingModel: (connection) => openEmbeddingModel(name, connection),
    }),
    ...(support_type.includes('rerank') && {
      rerankingModel: async (connection) =>
        createRerankingModel(name, {
          ...connection,
          fetch: fetchWithCleanErrors(connection.fetch, connection.api_key),
        }),
    }),
    listModels: (connection, signal) => listModels(connection, openAiListing(trimmedAddress(connection)), signal),
  };
}

async function openLanguageModel({ name, countsUnasked }: OpenAiCompatibleService, connection: ModelConnection) {
  const { model_name, extra_args, fetch, api_key } = connection;
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    ...settings(name, connection),
    fetch: fetchWithCleanErrors(fetch, api_key),
    includeUsage: countsUnasked !== true,
    // Messages and streaming belong to the call; an operator may set all other fields.
    ...(Object.keys(extra_args).length > 0 && {
      transformRequestBody: (body: Record<string, unknown>) => ({
        ...mergeObjects(body, extra_args),
        messages: body.messages,
        stream: body.stream,
      }),
    }),
  });
  return provider.chatModel(model_name);
}

async function openEmbeddingModel(name: string, connection: ModelConnection) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    ...settings(name, connection),
    fetch: modelFetch(connection, { fixed: ['input'], keyHeader: 'authorization' }),
  });
  return provider.embeddingModel(connection.model_name);
}

function settings(name: string, connection: ModelConnection) {
  const { api_key } = connection;
  return { name, baseURL: trimmedAddress(connection), ...(api_key ? { apiKey: api_key } : {}) };
}
