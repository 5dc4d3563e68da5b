import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { LanguageModel } from '@parley/sdk';

/**
 * A model of OpenAI that asks for nothing to be stored there. Each request then holds the whole conversation, and nothing
 * in it refers to what only the key that was used before could see.
 */
export function withoutStorage(model: LanguageModel): LanguageModel {
  const told = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => ({
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
    doGenerate: (options) => model.doGenerate(told(options)),
    doStream: (options) => model.doStream(told(options)),
  };
}
