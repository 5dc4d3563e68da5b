import type { ModelConnection, ModelKind, ModelRequester } from '@parley/sdk';
import { fakeEmbeddingModel, fakeLanguageModel, fakeRerankingModel } from '@parley/sdk/testing';
import { ModelOpener } from '../../src/core/models/model-opener.ts';
import { ModelService } from '../../src/core/models/model-service.ts';
import { ProviderService } from '../../src/core/models/provider-service.ts';
import { Registry } from '../../src/lib/registry.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { KyselyModelStore } from '../../src/storage/models/kysely-model-store.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openTestStorage } from '../stores/open-test-storage.ts';
import { anyAddress } from './any-address.ts';

/** Model services on a new database. */
export interface ModelServices {
  storage: Storage;
  store: KyselyModelStore;
  providers: ProviderService;
  models: Record<ModelKind, ModelService>;
  opener: ModelOpener;
  /** Models that the requesters opened, in order. */
  opened: ModelConnection[];
  /** The language models that were made, in order. */
  created: string[];
  /** The same over the same records, with other requesters installed. */
  withRequesters(requesters: ModelRequester[]): Pick<ModelServices, 'providers' | 'models' | 'opener'>;
  close(): Promise<void>;
}

/**
 * Opens the services with four requesters: `remote` and `other` know every kind of model, `chat` only language models,
 * and `demo` is built in and needs no address.
 */
export async function openModelServices(more: ModelRequester[] = []): Promise<ModelServices> {
  const storage = await openTestStorage('sqlite');
  const opened: ModelConnection[] = [];
  const created: string[] = [];
  const store = new KyselyModelStore(storage.database, storage.engine);
  const address = 'https://models.example.com/v1';
  const withRequesters = (requesters: ModelRequester[]) => {
    const providers = new ProviderService(
      store,
      new Registry(requesters),
      new SecretBox(Buffer.alloc(32, 1)),
      anyAddress,
    );
    const models = {
      llm: new ModelService('llm', store, providers, { modelCreated: async (uuid) => void created.push(uuid) }),
      'text-embedding': new ModelService('text-embedding', store, providers),
      rerank: new ModelService('rerank', store, providers),
    };
    return { providers, models, opener: new ModelOpener(store, providers, () => globalThis.fetch) };
  };
  return {
    storage,
    store,
    ...withRequesters([
      everyKind('remote', address, opened),
      everyKind('other', address, opened),
      languageModels('chat', 'manufacturer', address, opened),
      languageModels('demo', 'builtin', '', opened),
      ...more,
    ]),
    opened,
    created,
    withRequesters,
    close: () => storage.close(),
  };
}

function languageModels(
  name: string,
  category: ModelRequester['category'],
  default_base_url: string,
  opened: ModelConnection[],
): ModelRequester {
  return {
    name,
    label: { en_US: name },
    description: { en_US: name },
    category,
    support_type: ['llm'],
    default_base_url,
    languageModel: async (connection) => {
      opened.push(connection);
      return fakeLanguageModel({ modelId: connection.model_name });
    },
  };
}

function everyKind(name: string, address: string, opened: ModelConnection[]): ModelRequester {
  return {
    ...languageModels(name, 'maas', address, opened),
    support_type: ['llm', 'text-embedding', 'rerank'],
    embeddingModel: async (connection) => {
      opened.push(connection);
      return fakeEmbeddingModel({ modelId: connection.model_name, dimension: 3 });
    },
    rerankingModel: async (connection) => {
      opened.push(connection);
      return fakeRerankingModel({ modelId: connection.model_name });
    },
  };
}
