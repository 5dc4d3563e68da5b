import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { keyOrNone, modelFetch, trimmedAddress } from '../../kit/model-calls/model-fetch.ts';

const keyHeader = 'authorization';

/**
 * Models of Amazon Bedrock, with a Bedrock API key; the region is that of the address. Models are listed by another
 * service of Amazon, at an address that the key was not saved for.
 */
export const amazonBedrock: ModelRequester = {
  name: 'amazon-bedrock',
  label: { en_US: 'Amazon Bedrock' },
  description: {
    en_US: 'Models of Amazon Bedrock with a Bedrock API key. The address names the region.',
    zh_Hans: '使用 Bedrock API 密钥调用 Amazon Bedrock 的模型，区域由地址决定。',
    ja_JP: 'BedrockのAPIキーでAmazon Bedrockのモデルを使います。リージョンはアドレスで決まります。',
  },
  category: 'maas',
  support_type: ['llm', 'text-embedding'],
  default_base_url: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  languageModel: async (connection) =>
    (await openProvider(connection, ['messages', 'system'])).languageModel(connection.model_name),
  embeddingModel: async (connection) =>
    (await openProvider(connection, ['inputText', 'texts'])).embeddingModel(connection.model_name),
};

async function openProvider(connection: ModelConnection, fixed: string[]) {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
  const baseURL = trimmedAddress(connection);
  return createAmazonBedrock({
    baseURL,
    region: regionOf(baseURL),
    apiKey: keyOrNone(connection),
    fetch: modelFetch(connection, { fixed, keyHeader }),
  });
}

/** Always set, so that the environment is not used. */
function regionOf(address: string): string {
  const host = URL.parse(address)?.hostname ?? '';
  return /^(?:[^.]+\.)?bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(host)?.[1] ?? 'us-east-1';
}
