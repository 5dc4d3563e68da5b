import type { EmbeddingModel, ModelRequester } from '@parley/sdk';
import { fakeEmbeddingModel, fakeRerankingModel, silentLogger } from '@parley/sdk/testing';
import { EmbeddingService, type EmbeddingServiceParts } from '../../src/core/knowledge/embedding-service.ts';
import type { EmbeddingCall } from '../../src/core/monitoring/embedding-call.ts';
import { newUuid } from '../../src/lib/uuid.ts';
import { modelRequesters } from '../../src/providers/index.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../fakes/openai-server.ts';
import { type ModelServices, openModelServices } from './model-services.ts';

type EmbedOptions = Parameters<EmbeddingService['embed']>[2];

/** Embedding services, with a provider over a socket and scripted models. */
export interface EmbeddingFixture {
  fake: FakeOpenAi;
  services: ModelServices;
  /** Recorded calls. */
  calls: EmbeddingCall[];
  /** Vectors that were made before. */
  cache: Map<string, Float32Array>;
  /** Overrides for models of the requester `scripted`. */
  scripted: Partial<EmbeddingModel>;
  rerankError: unknown;
  /** The response of the rerank model of `scripted`; the default one when null. */
  ranking: { index: number; relevanceScore: number }[] | null;
  serviceWith(over?: Partial<EmbeddingServiceParts>): EmbeddingService;
  /** Creates an embedding model of the provider over the socket. */
  model(keys?: string[], name?: string, extraArgs?: Record<string, unknown>): Promise<string>;
  scriptedModel(): Promise<string>;
  scriptedReranker(): Promise<string>;
  close(): Promise<void>;
}

/** Patience for tests. */
export const quick = { retryPauseMs: 5, timeoutMs: 20_000 };

export async function openEmbeddingFixture(): Promise<EmbeddingFixture> {
  const fake = await startFakeOpenAi();
  const openAi = modelRequesters.find(({ name }) => name === 'openai-chat-completions') as ModelRequester;
  const scriptedRequester: ModelRequester = {
    name: 'scripted',
    label: { en_US: 'Scripted' },
    description: { en_US: 'Scripted' },
    category: 'self-hosted',
    support_type: ['text-embedding', 'rerank'],
    default_base_url: '',
    embeddingModel: async () => ({ ...fakeEmbeddingModel({ dimension: 3 }), ...fixture.scripted }),
    rerankingModel: async () => {
      const defaults = fakeRerankingModel({ error: fixture.rerankError });
      const { ranking } = fixture;
      return ranking === null ? defaults : { ...defaults, doRerank: async () => ({ ranking }) };
    },
  };
  const services = await openModelServices([openAi, scriptedRequester]);
  const provider = { requester: 'scripted', base_url: '' };
  const fixture: EmbeddingFixture = {
    fake,
    services,
    calls: [],
    cache: new Map(),
    scripted: {},
    rerankError: undefined,
    ranking: null,
    serviceWith: (over = {}) =>
      new EmbeddingService({
        opener: services.opener,
        vectors: {
          knownVectors: async (model, hashes) => hashes.map((hash) => fixture.cache.get(`${model} ${hash}`) ?? null),
          keepVectors: async (model, vectors) => {
            for (const { hash, vector } of vectors) fixture.cache.set(`${model} ${hash}`, vector);
          },
        },
        calls: { record: async (call) => void fixture.calls.push(call) },
        logger: silentLogger,
        patience: { document: quick, query: quick },
        ...over,
      }),
    model: (keys = [], name = 'embedder', extra_args = {}) =>
      services.models['text-embedding'].create({
        name,
        provider: { requester: 'openai-chat-completions', base_url: fake.base_url, api_keys: keys },
        extra_args,
      }),
    scriptedModel: () => services.models['text-embedding'].create({ name: 'scripted', provider }),
    scriptedReranker: () => services.models.rerank.create({ name: 'scripted', provider }),
    async close() {
      await services.close();
      await fake.close();
    },
  };
  return fixture;
}

export function embedOptions(over: Partial<EmbedOptions> = {}): EmbedOptions {
  return {
    knowledge_base_uuid: newUuid(),
    purpose: 'document',
    signal: new AbortController().signal,
    ...over,
  };
}

/** Different texts: `text 0`, `text 1`, … */
export function numberedTexts(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, place) => `text ${from + place}`);
}
