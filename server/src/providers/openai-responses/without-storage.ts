import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { LanguageModel } from '@parley/sdk';

/**
 * A model of OpenAI without storage there. Each request contains the whole conversation, and nothing in it refers to
 * data that only an earlier key could access.
 */
export function withoutStorage(model: LanguageModel): LanguageModel {
  const stateless = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => ({
    ...options,
    providerOptions: {
      ...options.providerOptions,
      openai: { store: false, ...options.providerOptions?.openai },
    },
  });
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(stateless(options)),
    doStream: (options) => model.doStream(stateless(options)),
  };
}
