import type { ModelConnection, ModelKind, ModelRequester } from '@parley/sdk';
import Type from 'typebox';
import { keyOrNone, modelFetch, trimmedAddress } from '../../kit/model-calls/model-fetch.ts';
import { listModels, type ModelListing } from '../../kit/model-calls/model-list.ts';

const keyHeader = 'x-goog-api-key';

/** Models behind the protocol of Google's Gemini itself. */
export const gemini: ModelRequester = {
  name: 'gemini',
  label: {
    en_US: 'Google Gemini (native API)',
    zh_Hans: 'Google Gemini（原生接口）',
    ja_JP: 'Google Gemini（ネイティブAPI）',
  },
  description: {
    en_US: 'Models of Google Gemini through its own API.',
    zh_Hans: '通过原生接口使用 Google Gemini 的模型。',
    ja_JP: 'ネイティブAPIでGoogle Geminiのモデルを使います。',
  },
  brand: 'googlegemini',
  category: 'manufacturer',
  support_type: ['llm', 'text-embedding'],
  default_base_url: 'https://generativelanguage.googleapis.com/v1beta',
  languageModel: async (connection) =>
    (await openProvider(connection, ['contents', 'systemInstruction'])).chat(connection.model_name),
  embeddingModel: async (connection) =>
    (await openProvider(connection, ['content', 'requests'])).embeddingModel(connection.model_name),
  listModels: (connection, signal) => listModels(connection, listing(addressOf(connection)), signal),
};

async function openProvider(connection: ModelConnection, fixed: string[]) {
  const { createGoogle } = await import('@ai-sdk/google');
  return createGoogle({
    baseURL: addressOf(connection),
    apiKey: keyOrNone(connection),
    fetch: modelFetch(connection, { fixed, keyHeader }),
  });
}

/** An address without a path lacks the version. */
function addressOf(connection: Pick<ModelConnection, 'base_url'>): string {
  const address = trimmedAddress(connection);
  return URL.parse(address)?.pathname === '/' ? `${address}/v1beta` : address;
}

const Page = Type.Object({
  models: Type.Array(
    Type.Object({
      name: Type.String(),
      displayName: Type.Optional(Type.String()),
      supportedGenerationMethods: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  nextPageToken: Type.Optional(Type.String()),
});

const kindsByMethod: [string, ModelKind][] = [
  ['generateContent', 'llm'],
  ['embedContent', 'text-embedding'],
];

/** @see https://ai.google.dev/api/models#method:-models.list */
function listing(address: string): ModelListing<typeof Page> {
  const url = `${address}/models?pageSize=1000`;
  return {
    url,
    headers: (key) => ({ [keyHeader]: key }),
    page: Page,
    // Models that do neither (images, videos) cannot be used here.
    modelsOf: ({ models }) =>
      models
        .map(({ name, displayName, supportedGenerationMethods: methods }) => ({
          id: name.replace(/^models\//, ''),
          ...(methods && {
            kinds: kindsByMethod.filter(([method]) => methods.includes(method)).map(([, kind]) => kind),
          }),
          ...(displayName === undefined ? {} : { label: displayName }),
        }))
        .filter(({ kinds }) => kinds === undefined || kinds.length > 0),
    nextPage: ({ nextPageToken }) =>
      nextPageToken ? `${url}&pageToken=${encodeURIComponent(nextPageToken)}` : undefined,
  };
}
