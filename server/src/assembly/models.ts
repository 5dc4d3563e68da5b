import type { Logger } from '@parley/sdk';
import type { AddressRules } from '../core/addresses/address-rules.ts';
import type { FetchFor } from '../core/addresses/fetch-for.ts';
import type { ExtensionRegistries } from '../core/extensions/extension-registries.ts';
import { ModelCatalog } from '../core/models/model-catalog.ts';
import { ModelOpener } from '../core/models/model-opener.ts';
import { ModelPriceService } from '../core/models/model-price-service.ts';
import { ModelService } from '../core/models/model-service.ts';
import { ModelTester } from '../core/models/model-tester.ts';
import { ProviderService } from '../core/models/provider-service.ts';
import { RequesterService } from '../core/models/requester-service.ts';
import type { PipelineService } from '../core/pipelines/pipeline-service.ts';
import { fetchWithoutRedirects } from '../kit/model-calls/fetch-without-redirects.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { KyselyModelPriceStore } from '../storage/models/kysely-model-price-store.ts';
import { KyselyModelStore } from '../storage/models/kysely-model-store.ts';
import { KyselyEmbeddingCallStore } from '../storage/monitoring/kysely-embedding-call-store.ts';
import type { Storage } from '../storage/storage.ts';

export interface ModelParts {
  extensions: ExtensionRegistries;
  addresses: AddressRules;
  fetchFor: FetchFor;
  secrets: SecretBox;
  logger: Logger;
  /** The first real model takes the place of the demo in them. */
  pipelines: PipelineService;
}

/** Models and their providers: their records, and what calls them. */
export function createModels({ database, engine }: Storage, parts: ModelParts) {
  const { addresses, fetchFor, secrets, pipelines, logger } = parts;
  const modelStore = new KyselyModelStore(database, engine);
  const providers = new ProviderService(modelStore, parts.extensions.modelRequesters, secrets, addresses);
  const modelOpener = new ModelOpener(modelStore, providers, (adminAddresses) =>
    fetchWithoutRedirects(fetchFor(adminAddresses)),
  );
  const models = {
    llm: new ModelService('llm', modelStore, providers, {
      modelCreated: (uuid) => pipelines.adoptModel(uuid, (current) => modelOpener.isPlaceholder(current)),
    }),
    'text-embedding': new ModelService('text-embedding', modelStore, providers),
    rerank: new ModelService('rerank', modelStore, providers),
  };

  const modelPrices = new ModelPriceService(new KyselyModelPriceStore(database));
  return {
    modelStore,
    providers,
    requesters: new RequesterService(parts.extensions.modelRequesters),
    models,
    modelOpener,
    modelTester: new ModelTester(modelStore, providers, modelOpener, {
      calls: new KyselyEmbeddingCallStore(database),
      logger,
    }),
    modelCatalog: new ModelCatalog(modelStore, providers, modelOpener),
    modelPrices,
  };
}
