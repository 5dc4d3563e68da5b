import { cacheClients } from '../core/addresses/fetch-for.ts';
import { ModelCatalog } from '../core/models/model-catalog.ts';
import { ModelOpener } from '../core/models/model-opener.ts';
import { ModelPriceService } from '../core/models/model-price-service.ts';
import { ModelService } from '../core/models/model-service.ts';
import { ModelTester } from '../core/models/model-tester.ts';
import { PriceCurrencyService } from '../core/models/price-currency-service.ts';
import { PriceSuggester } from '../core/models/price-suggestions.ts';
import { ProviderService } from '../core/models/provider-service.ts';
import { RequesterService } from '../core/models/requester-service.ts';
import type { MetadataStore } from '../core/system/metadata-store.ts';
import { fetchWithoutRedirects } from '../kit/model-calls/fetch-without-redirects.ts';
import { freeze } from '../lib/freeze.ts';
import { KyselyModelPriceStore } from '../storage/models/kysely-model-price-store.ts';
import { KyselyModelStore } from '../storage/models/kysely-model-store.ts';
import { KyselyEmbeddingCallStore } from '../storage/monitoring/kysely-embedding-call-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { Created, SharedParts } from './parts.ts';
import type { createPipelines } from './pipelines.ts';

type ModelParts = SharedParts & Created<typeof createPipelines> & { metadata: MetadataStore };

/** Models and their providers: their records, and what calls them. */
export function createModels({ database, engine }: Storage, parts: ModelParts) {
  const { addresses, fetchFor, metadata, secrets, pipelines, recordCache, logger } = parts;
  const { modelRequesters } = parts.extensions;
  const modelStore = new KyselyModelStore(database, engine);
  const providers = new ProviderService(modelStore, modelRequesters, secrets, addresses);
  // Requesters keep opened models with their client.
  const modelFetchFor = cacheClients((adminAddresses) => fetchWithoutRedirects(fetchFor(adminAddresses)));
  const modelOpener = new ModelOpener(modelStore, providers, modelFetchFor);
  const models = {
    llm: new ModelService('llm', modelStore, providers, {
      modelCreated: (uuid) => pipelines.adoptModel(uuid, (current) => modelOpener.isPlaceholder(current)),
    }),
    'text-embedding': new ModelService('text-embedding', modelStore, providers),
    rerank: new ModelService('rerank', modelStore, providers),
  };

  const llmForRun = recordCache.reader(async (uuid) => {
    const model = await modelStore.model('llm', uuid);
    // Runners and requesters of later messages receive the same object.
    freeze(model);
    return model;
  });
  const modelPrices = new ModelPriceService(new KyselyModelPriceStore(database));
  return {
    modelStore,
    providers,
    requesters: new RequesterService(modelRequesters),
    models,
    modelOpener,
    /** Opens language models for claimed messages. */
    modelOpenerForRun: modelOpener.withRecords({
      model: (kind, uuid) => (kind === 'llm' ? llmForRun(uuid) : modelStore.model(kind, uuid)),
      storedProvider: recordCache.reader((uuid) => modelStore.storedProvider(uuid)),
    }),
    modelTester: new ModelTester(modelStore, providers, modelOpener, {
      calls: new KyselyEmbeddingCallStore(database),
      logger,
    }),
    modelCatalog: new ModelCatalog(modelStore, providers, modelOpener),
    modelPrices,
    priceSuggester: new PriceSuggester(modelStore),
    priceCurrency: new PriceCurrencyService(metadata),
    pricesForRun: recordCache.reader(() => modelPrices.costOf()),
  };
}
