import {
  type EmbeddingModel,
  type ModelConnection,
  type ModelKind,
  type ModelRequester,
  type OpenedModel,
  ParleyError,
  type RerankingModel,
} from '@parley/sdk';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { FetchFor } from '../addresses/fetch-for.ts';
import type { StoredModel } from './model.ts';
import type { ModelStore } from './model-store.ts';
import type { StoredProvider } from './provider.ts';
import { ProviderKeyRing } from './provider-key-ring.ts';
import type { ProviderService } from './provider-service.ts';
import { RequestWatch } from './request-watch.ts';

/** A model of another kind than language models, with one of its provider's keys. */
export interface OpenedModelOfKind<Model> extends Pick<OpenedModel, 'uuid' | 'name' | 'keys' | 'report'> {
  /** Its address, its name and whatever else its answers depend on. */
  identity: string;
  provider_uuid: string;
  /** When the provider was changed last, ISO 8601 UTC. */
  provider_updated_at: string;
  model: Model;
}

/** Reads what is needed to open a model. */
export type ModelRecords = Pick<ModelStore, 'model' | 'storedProvider'>;

/** Access of runners and knowledge engines to models. */
export class ModelOpener {
  readonly #store: ModelRecords;
  readonly #providers: ProviderService;
  readonly #fetchFor: FetchFor;
  readonly #keys: ProviderKeyRing;

  /** @param keys state of the keys of providers; its own when omitted */
  constructor(store: ModelRecords, providers: ProviderService, fetchFor: FetchFor, keys = new ProviderKeyRing()) {
    this.#store = store;
    this.#providers = providers;
    this.#fetchFor = fetchFor;
    this.#keys = keys;
  }

  /** The same with other records, for example those in memory; it shares the state of the keys. */
  withRecords(records: ModelRecords): ModelOpener {
    return new ModelOpener(records, this.#providers, this.#fetchFor, this.#keys);
  }

  /**
   * Opens a model with the next key of its provider.
   * @param keepsRequests whether the requests of calls can be read
   * @throws ParleyError `model_not_configured` when the model, its provider or its requester is gone
   */
  async open(uuid: string, keepsRequests = false): Promise<OpenedModel> {
    const found = await this.#find('llm', uuid);
    const openModel = found?.requester.languageModel;
    if (found === null || openModel === undefined) {
      throw new ParleyError('model_not_configured', 'The pipeline names a model that does not exist');
    }
    const { model, provider, requester } = found;
    const { api_key, keys, report } = this.#takeKey(provider);
    const connection = { ...this.connection(model, provider), api_key };
    const watch = keepsRequests ? new RequestWatch(connection.fetch, this.#providers.keys(provider)) : null;
    return {
      uuid: model.uuid,
      name: model.name,
      abilities: model.abilities,
      model: await openModel.call(requester, watch === null ? connection : { ...connection, fetch: watch.fetch }),
      keys,
      ...(watch === null ? {} : { takeRequest: () => watch.take() }),
      report,
    };
  }

  /** Like {@link open}, for embedding models. */
  openEmbedding(uuid: string): Promise<OpenedModelOfKind<EmbeddingModel>> {
    return this.#openOfKind('text-embedding', uuid, ({ embeddingModel }) => embeddingModel);
  }

  /** As {@link open}, for a model that orders texts. */
  openReranker(uuid: string): Promise<OpenedModelOfKind<RerankingModel>> {
    return this.#openOfKind('rerank', uuid, ({ rerankingModel }) => rerankingModel);
  }

  /** The connection for a requester. The first key of the provider is used. */
  connection(model: Pick<StoredModel, 'name' | 'extra_args'>, provider: StoredProvider): ModelConnection {
    return {
      model_name: model.name,
      base_url: provider.base_url,
      api_key: this.#providers.keys(provider)[0] ?? null,
      extra_args: model.extra_args,
      fetch: this.#fetchFor(provider.admin_addresses),
    };
  }

  /** Whether a model is a placeholder until a real one is configured; a deleted model is one, too. */
  async isPlaceholder(uuid: string): Promise<boolean> {
    const model = await this.#store.model('llm', uuid);
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    return provider === null || this.#providers.requester(provider.requester)?.category === 'builtin';
  }

  async #openOfKind<Model>(
    kind: ModelKind,
    uuid: string,
    opens: (requester: ModelRequester) => ((connection: ModelConnection) => Promise<Model>) | undefined,
  ): Promise<OpenedModelOfKind<Model>> {
    const found = await this.#find(kind, uuid);
    const openModel = found === null ? undefined : opens(found.requester);
    if (found === null || openModel === undefined) {
      throw new ParleyError('model_not_configured', 'The knowledge base names a model that does not exist');
    }
    const { model, provider, requester } = found;
    const { api_key, keys, report } = this.#takeKey(provider);
    return {
      uuid: model.uuid,
      name: model.name,
      identity: canonicalJson([requester.name, provider.base_url, model.name, model.extra_args]),
      provider_uuid: provider.uuid,
      provider_updated_at: provider.updated_at,
      model: await openModel.call(requester, { ...this.connection(model, provider), api_key }),
      keys,
      report,
    };
  }

  async #find(kind: ModelKind, uuid: string) {
    const model = isUuid(uuid) ? await this.#store.model(kind, uuid.toLowerCase()) : null;
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    const requester = provider === null ? undefined : this.#providers.requester(provider.requester);
    return model === null || provider === null || requester === undefined ? null : { model, provider, requester };
  }

  #takeKey(provider: StoredProvider): Pick<OpenedModel, 'keys' | 'report'> & { api_key: string | null } {
    const keys = this.#providers.keys(provider);
    const taken = this.#keys.take(provider.uuid, keys);
    return {
      api_key: taken?.key ?? null,
      keys: Math.max(1, new Set(keys).size),
      report: (failure) => taken?.report(failure),
    };
  }
}
