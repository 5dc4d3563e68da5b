import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { fetchWithArguments } from './fetch-with-arguments.ts';
import { fetchWithoutKeyInErrors } from './fetch-without-key-in-errors.ts';
import { createRerankingModel } from './reranking-model.ts';
import { type OpenAiCompatibleService, services } from './services.ts';

/** Every service that speaks the chat-completions protocol of OpenAI. */
export const openAiCompatible: ModelRequester[] = services.map(createRequester);

function createRequester(service: OpenAiCompatibleService): ModelRequester {
  const { name, support_type } = service;
  return {
    name,
    label: service.label,
    description: {
      en_US: `Models of ${service.label.en_US} through its OpenAI-compatible API.`,
      zh_Hans: `通过 OpenAI 兼容接口使用 ${service.label.zh_Hans ?? service.label.en_US} 的模型。`,
    },
    category: service.category,
    support_type,
    default_base_url: service.default_base_url,
    languageModel: (connection) => openLanguageModel(name, connection),
    ...(support_type.includes('text-embedding') && {
      embeddingModel: (connection) => openEmbeddingModel(name, connection),
    }),
    ...(support_type.includes('rerank') && {
      rerankingModel: async (connection) =>
        createRerankingModel(name, {
          ...connection,
          fetch: fetchWithoutKeyInErrors(connection.fetch, connection.api_key),
        }),
    }),
  };
}

async function openLanguageModel(name: string, connection: ModelConnection) {
  const { model_name, extra_args, fetch, api_key } = connection;
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    ...settings(name, connection),
    fetch: fetchWithoutKeyInErrors(fetch, api_key),
    includeUsage: true,
    // What is said and how it comes back belong to the call; everything else an operator may set.
    transformRequestBody: (body) => ({ ...body, ...extra_args, messages: body.messages, stream: body.stream }),
  });
  return provider.chatModel(model_name);
}

async function openEmbeddingModel(name: string, connection: ModelConnection) {
  const { model_name, extra_args, fetch, api_key } = connection;
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    ...settings(name, connection),
    fetch: fetchWithArguments(fetchWithoutKeyInErrors(fetch, api_key), extra_args, ['input']),
  });
  return provider.embeddingModel(model_name);
}

function settings(name: string, { base_url, api_key }: ModelConnection) {
  return { name, baseURL: base_url.replace(/\/+$/, ''), ...(api_key ? { apiKey: api_key } : {}) };
}
