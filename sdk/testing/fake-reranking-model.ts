import type { RerankingModelV4CallOptions } from '@ai-sdk/provider';
import type { RerankingModel } from '../src/model-requester.ts';

export interface FakeRerankingModelOptions {
  modelId?: string;
  /** The score of a document by its place. Default: the later, the better. */
  score?: (index: number) => number;
  /** Thrown before anything is answered. */
  error?: unknown;
}

/** A model with fixed scores that records its calls. */
export interface FakeRerankingModel extends RerankingModel {
  calls: RerankingModelV4CallOptions[];
}

/** Creates a reranking model for tests. */
export function fakeRerankingModel(options: FakeRerankingModelOptions = {}): FakeRerankingModel {
  const { score = (index: number) => index } = options;
  const calls: RerankingModelV4CallOptions[] = [];
  return {
    calls,
    specificationVersion: 'v4',
    provider: 'fake',
    modelId: options.modelId ?? 'fake-reranking-model',
    async doRerank(call) {
      calls.push(call);
      call.abortSignal?.throwIfAborted();
      if (options.error !== undefined) throw options.error;
      const ranking = call.documents.values
        .map((_, index) => ({ index, relevanceScore: score(index) }))
        .sort((left, right) => right.relevanceScore - left.relevanceScore);
      return { ranking: ranking.slice(0, call.topN ?? ranking.length) };
    },
  };
}
