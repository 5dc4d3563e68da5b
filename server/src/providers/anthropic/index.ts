import type { ModelConnection, ModelRequester } from '@parley/sdk';
import Type from 'typebox';
import { keyOrNone, modelFetch, trimmedAddress } from '../../kit/model-calls/model-fetch.ts';
import { listModels, type ModelListing } from '../../kit/model-calls/model-list.ts';

const version = '2023-06-01';

/** Models behind the Messages protocol of Anthropic. */
export const anthropic: ModelRequester = {
  name: 'anthropic-messages',
  label: { en_US: 'Anthropic' },
  description: {
    en_US: 'Models of Anthropic through its Messages API.',
    zh_Hans: '通过 Messages 接口使用 Anthropic 的模型。',
    ja_JP: 'Messages APIでAnthropicのモデルを使います。',
  },
  brand: 'anthropic',
  category: 'manufacturer',
  support_type: ['llm'],
  default_base_url: 'https://api.anthropic.com',
  languageModel: openLanguageModel,
  listModels: (connection, signal) => listModels(connection, listing(addressOf(connection)), signal),
};

async function openLanguageModel(connection: ModelConnection) {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  const provider = createAnthropic({
    baseURL: addressOf(connection),
    apiKey: keyOrNone(connection),
    fetch: modelFetch(connection, { fixed: ['messages', 'system', 'stream'], keyHeader: 'x-api-key' }),
  });
  return provider.messages(connection.model_name);
}

/** Addresses are saved with or without the version, which Anthropic's own clients add themselves. */
function addressOf(connection: Pick<ModelConnection, 'base_url'>): string {
  return `${trimmedAddress(connection).replace(/\/v1$/, '')}/v1`;
}

const Page = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String(), display_name: Type.Optional(Type.String()) })),
  has_more: Type.Optional(Type.Boolean()),
  last_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** @see https://docs.anthropic.com/en/api/models-list */
function listing(address: string): ModelListing<typeof Page> {
  const url = `${address}/models?limit=1000`;
  return {
    url,
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': version }),
    page: Page,
    modelsOf: ({ data }) =>
      data.map(({ id, display_name }) => ({
        id,
        kinds: ['llm'],
        ...(display_name === undefined ? {} : { label: display_name }),
      })),
    nextPage: ({ has_more, last_id }) =>
      has_more === true && last_id ? `${url}&after_id=${encodeURIComponent(last_id)}` : undefined,
  };
}
