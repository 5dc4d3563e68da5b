import { InvalidResponseDataError } from '@ai-sdk/provider';
import type { EmbeddingModel } from '@parley/sdk';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { callOllama, jsonOf, type OllamaConnection } from './ollama-call.ts';

const Embeddings = Type.Object({
  embeddings: Type.Array(Type.Array(Type.Number())),
  prompt_eval_count: Type.Optional(Type.Number()),
});

/** @see https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings */
export function createEmbeddingModel(connection: OllamaConnection): EmbeddingModel {
  return {
    specificationVersion: 'v4',
    provider: 'ollama.embedding',
    modelId: connection.model_name,
    maxEmbeddingsPerCall: 512,
    supportsParallelCalls: false,
    async doEmbed({ values, abortSignal, headers }) {
      const body = { model: connection.model_name, input: values };
      const response = await callOllama(connection, '/api/embed', body, ['input'], { abortSignal, headers });
      const answer = jsonOf(await response.text());
      if (!Check(Embeddings, answer) || answer.embeddings.length !== values.length) {
        throw new InvalidResponseDataError({
          data: undefined,
          message: 'The answer does not hold a vector for each text',
        });
      }
      const { embeddings, prompt_eval_count: tokens } = answer;
      return { embeddings, ...(tokens === undefined ? {} : { usage: { tokens } }), warnings: [] };
    },
  };
}
