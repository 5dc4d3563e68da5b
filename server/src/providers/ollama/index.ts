import type { ModelConnection, ModelRequester } from '@parley/sdk';
import Type from 'typebox';
import { fetchWithCleanErrors } from '../../kit/model-calls/fetch-with-clean-errors.ts';
import { trimmedAddress } from '../../kit/model-calls/model-fetch.ts';
import { bearerHeaders, listModels, type ModelListing } from '../../kit/model-calls/model-list.ts';
import { createChatModel } from './chat-model.ts';
import { createEmbeddingModel } from './embedding-model.ts';
import type { OllamaConnection } from './ollama-call.ts';

/** Models of an Ollama server, by its own protocol: its OpenAI-compatible one knows neither `options` nor `keep_alive`. */
export const ollama: ModelRequester = {
  name: 'ollama-chat',
  label: { en_US: 'Ollama' },
  description: {
    en_US: 'Models that an Ollama server runs, on this machine or another.',
    zh_Hans: '使用本机或其他机器上 Ollama 服务运行的模型。',
    ja_JP: 'このマシンまたは別のマシンで動くOllamaサーバーのモデルを使います。',
  },
  brand: 'ollama',
  category: 'self-hosted',
  support_type: ['llm', 'text-embedding'],
  default_base_url: 'http://127.0.0.1:11434',
  languageModel: async (connection) => createChatModel(ollamaConnection(connection)),
  embeddingModel: async (connection) => createEmbeddingModel(ollamaConnection(connection)),
  listModels: (connection, signal) => listModels(connection, listing(addressOf(connection)), signal),
};

function ollamaConnection(connection: ModelConnection): OllamaConnection {
  const { model_name, api_key, extra_args, fetch } = connection;
  return {
    model_name,
    extra_args,
    address: addressOf(connection),
    headers: api_key ? bearerHeaders(api_key) : {},
    fetch: fetchWithCleanErrors(fetch, api_key),
  };
}

/** Some save the address of the OpenAI-compatible protocol, which is below this one. */
function addressOf(connection: Pick<ModelConnection, 'base_url'>): string {
  return trimmedAddress(connection).replace(/\/(v1|api)$/, '');
}

const Page = Type.Object({ models: Type.Array(Type.Object({ name: Type.String() })) });

function listing(address: string): ModelListing<typeof Page> {
  return {
    url: `${address}/api/tags`,
    headers: bearerHeaders,
    page: Page,
    modelsOf: ({ models }) => models.map(({ name }) => ({ id: name })),
  };
}
