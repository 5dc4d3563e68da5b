import type { ModelConnection, ModelRequester, ProviderConnection } from '../src/model-requester.ts';
import { fakeEmbeddingModel } from './fake-embedding-model.ts';
import { fakeLanguageModel } from './fake-language-model.ts';
import { fakeRerankingModel } from './fake-reranking-model.ts';
import { modelRequesterContract } from './model-requester-contract.ts';

const fake = {
  label: { en_US: 'Fake' },
  description: { en_US: 'For tests' },
  category: 'builtin',
  default_base_url: '',
} as const;

function* words() {
  for (;;) yield 'word ';
}

class Everything implements ModelRequester {
  readonly name = 'fake-everything';
  readonly label = fake.label;
  readonly description = fake.description;
  readonly category = fake.category;
  readonly support_type = ['llm', 'text-embedding', 'rerank'] as const;
  readonly default_base_url = fake.default_base_url;

  async languageModel({ model_name, extra_args }: ModelConnection) {
    return fakeLanguageModel({ modelId: model_name, chunks: extra_args.endless === true ? words() : ['Hello'] });
  }

  async embeddingModel({ model_name }: ModelConnection) {
    return fakeEmbeddingModel({ modelId: model_name });
  }

  async rerankingModel({ model_name }: ModelConnection) {
    return fakeRerankingModel({ modelId: model_name });
  }

  async listModels(_connection: ProviderConnection, signal: AbortSignal) {
    signal.throwIfAborted();
    return [{ id: 'a-model', kinds: ['llm' as const] }, { id: 'another' }];
  }
}

const connection = (extra_args = {}): ModelConnection => ({
  model_name: 'a-model',
  base_url: '',
  api_key: null,
  extra_args,
  fetch: () => Promise.reject(new Error('no call expected')),
});

modelRequesterContract({
  requester: new Everything(),
  connection: () => connection(),
  slowConnection: () => connection({ endless: true }),
});

// A requester need not know language models.
modelRequesterContract({
  requester: {
    ...fake,
    name: 'fake-rerank',
    support_type: ['rerank'],
    rerankingModel: async ({ model_name }) => fakeRerankingModel({ modelId: model_name }),
  },
  connection: () => connection(),
});
