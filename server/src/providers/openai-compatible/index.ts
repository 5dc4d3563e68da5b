import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { fetchWithoutKeyInErrors } from './fetch-without-key-in-errors.ts';
import { type OpenAiCompatibleService, services } from './services.ts';

/** Every service that speaks the chat-completions protocol of OpenAI. */
export const openAiCompatible: ModelRequester[] = services.map(createRequester);

function createRequester(service: OpenAiCompatibleService): ModelRequester {
  return {
    name: service.name,
    label: service.label,
    description: {
      en_US: `Models of ${service.label.en_US} through its OpenAI-compatible API.`,
      zh_Hans: `通过 OpenAI 兼容接口使用 ${service.label.zh_Hans ?? service.label.en_US} 的模型。`,
    },
    category: service.category,
    support_type: service.support_type,
    default_base_url: service.default_base_url,
    languageModel: (connection) => openLanguageModel(service.name, connection),
  };
}

async function openLanguageModel(name: string, connection: ModelConnection) {
  const { model_name, base_url, api_key, extra_args, fetch } = connection;
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name,
    baseURL: base_url.replace(/\/+$/, ''),
    ...(api_key ? { apiKey: api_key } : {}),
    fetch: fetchWithoutKeyInErrors(fetch, api_key),
    includeUsage: true,
    // What is said and how it comes back belong to the call; everything else an operator may set.
    transformRequestBody: (body) => ({ ...body, ...extra_args, messages: body.messages, stream: body.stream }),
  });
  return provider.chatModel(model_name);
}
