import type { EmbeddingModelV4CallOptions } from '@ai-sdk/provider';
import type { EmbeddingModel } from '../src/model-requester.ts';

export interface FakeEmbeddingModelOptions {
  modelId?: string;
  /** Length of the vectors. Default 4. */
  dimension?: number;
  /** Thrown before anything is answered. */
  error?: unknown;
}

/** A model that returns vectors of ones and records its calls. */
export interface FakeEmbeddingModel extends EmbeddingModel {
  calls: EmbeddingModelV4CallOptions[];
}

/** Creates an embedding model for tests. */
export function fakeEmbeddingModel(options: FakeEmbeddingModelOptions = {}): FakeEmbeddingModel {
  const calls: EmbeddingModelV4CallOptions[] = [];
  return {
    calls,
    specificationVersion: 'v4',
    provider: 'fake',
    modelId: options.modelId ?? 'fake-embedding-model',
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    async doEmbed(call) {
      calls.push(call);
      call.abortSignal?.throwIfAborted();
      if (options.error !== undefined) throw options.error;
      const vector = () => new Array<number>(options.dimension ?? 4).fill(1);
      return { embeddings: call.values.map(vector), usage: { tokens: call.values.length }, warnings: [] };
    },
  };
}
