import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { keyOrNone, modelFetch, trimmedAddress } from '../../kit/model-calls/model-fetch.ts';
import { listModels, openAiListing } from '../../kit/model-calls/model-list.ts';
import { withoutStorage } from './without-storage.ts';

const keyHeader = 'authorization';

/** Models behind the Responses protocol of OpenAI. */
export const openAiResponses: ModelRequester = {
  name: 'openai-responses',
  label: { en_US: 'OpenAI Responses' },
  description: {
    en_US: 'Models of OpenAI through its Responses API. Messages are not stored there.',
    zh_Hans: '通过 Responses 接口使用 OpenAI 的模型，对话内容不会保存在对方服务器。',
    ja_JP: 'Responses APIでOpenAIのモデルを使います。会話の内容はOpenAI側に保存されません。',
  },
  category: 'manufacturer',
  support_type: ['llm', 'text-embedding'],
  default_base_url: 'https://api.openai.com/v1',
  languageModel: async (connection) => {
    const provider = await openProvider(connection, ['input', 'stream']);
    const model = provider.responses(connection.model_name);
    return connection.extra_args.store === true ? model : withoutStorage(model);
  },
  embeddingModel: async (connection) =>
    (await openProvider(connection, ['input'])).embeddingModel(connection.model_name),
  listModels: (connection, signal) => listModels(connection, openAiListing(trimmedAddress(connection)), signal),
};

async function openProvider(connection: ModelConnection, fixed: string[]) {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({
    baseURL: trimmedAddress(connection),
    apiKey: keyOrNone(connection),
    fetch: modelFetch(connection, { fixed, keyHeader }),
  });
}
