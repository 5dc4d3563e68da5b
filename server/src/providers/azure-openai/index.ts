import type { ModelConnection, ModelRequester } from '@parley/sdk';
import { keyOrNone, modelFetch, trimmedAddress } from '../../kit/model-calls/model-fetch.ts';

const keyHeader = 'api-key';

/**
 * Models that were deployed on Azure OpenAI; a model is called by the name of its deployment. Deployments cannot be listed
 * with the key of a resource.
 */
export const azureOpenAi: ModelRequester = {
  name: 'azure-openai',
  label: { en_US: 'Azure OpenAI' },
  description: {
    en_US:
      'Deployments of Azure OpenAI. The name of a model is that of its deployment. An address that ends with ?api-version=… uses the API of that version.',
    zh_Hans: 'Azure OpenAI 的部署，模型名称即部署名称。地址以 ?api-version=… 结尾时使用该版本的接口。',
    ja_JP:
      'Azure OpenAIのデプロイを使います。モデル名にはデプロイ名を指定します。アドレスの末尾が ?api-version=… の場合は、そのバージョンのAPIを使います。',
  },
  category: 'maas',
  support_type: ['llm', 'text-embedding'],
  default_base_url: 'https://your-resource.openai.azure.com/openai/v1',
  languageModel: async (connection) =>
    (await openProvider(connection, ['messages', 'stream'])).chat(connection.model_name),
  embeddingModel: async (connection) =>
    (await openProvider(connection, ['input'])).embeddingModel(connection.model_name),
};

async function openProvider(connection: ModelConnection, fixed: string[]) {
  const { createAzure } = await import('@ai-sdk/azure');
  return createAzure({
    ...addressOf(connection),
    apiKey: keyOrNone(connection),
    fetch: modelFetch(connection, { fixed, keyHeader }),
  });
}

/** The address that the portal shows has neither a path nor a version; one that names a version means the older API. */
function addressOf(connection: Pick<ModelConnection, 'base_url'>) {
  const url = URL.parse(trimmedAddress(connection));
  if (url === null) return { baseURL: trimmedAddress(connection) };
  const apiVersion = url.searchParams.get('api-version');
  const path = url.pathname.replace(/\/+$/, '');
  const baseURL = `${url.origin}${path === '' ? '/openai' : path}`;
  if (apiVersion !== null && apiVersion !== 'v1' && apiVersion !== '') {
    return { baseURL: baseURL.replace(/\/v1$/, ''), apiVersion, useDeploymentBasedUrls: true };
  }
  return { baseURL: /\/openai$/.test(baseURL) ? `${baseURL}/v1` : baseURL };
}
