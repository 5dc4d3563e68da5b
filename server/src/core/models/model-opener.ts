import { type ModelConnection, type OpenedModel, ParleyError } from '@parley/sdk';
import { isUuid } from '../../lib/uuid.ts';
import type { StoredModel } from './model.ts';
import type { ModelStore } from './model-store.ts';
import type { StoredProvider } from './provider.ts';
import { ProviderKeyRing } from './provider-key-ring.ts';
import type { ProviderService } from './provider-service.ts';

/** How a runner gets hold of a language model. */
export class ModelOpener {
  readonly #store: ModelStore;
  readonly #providers: ProviderService;
  readonly #fetch: typeof globalThis.fetch;
  readonly #keys = new ProviderKeyRing();

  /** @param fetch HTTP client for addresses that an administrator saved */
  constructor(store: ModelStore, providers: ProviderService, fetch: typeof globalThis.fetch) {
    this.#store = store;
    this.#providers = providers;
    this.#fetch = fetch;
  }

  /**
   * Opens a model with the key of its provider whose turn it is.
   * @throws ParleyError `model_not_configured` when the model, its provider or its requester is gone
   */
  async open(uuid: string): Promise<OpenedModel> {
    const model = isUuid(uuid) ? await this.#store.model('llm', uuid.toLowerCase()) : null;
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    const requester = provider === null ? undefined : this.#providers.requester(provider.requester);
    if (model === null || provider === null || requester?.languageModel === undefined) {
      throw new ParleyError('model_not_configured', 'The pipeline names a model that does not exist');
    }
    const keys = this.#providers.keys(provider);
    const taken = this.#keys.take(provider.uuid, keys);
    return {
      uuid: model.uuid,
      name: model.name,
      abilities: model.abilities,
      model: await requester.languageModel({ ...this.connection(model, provider), api_key: taken?.key ?? null }),
      keys: Math.max(1, new Set(keys).size),
      report: (failure) => taken?.report(failure),
    };
  }

  /** What a requester needs to reach a model. The first key of the provider is used. */
  connection(model: Pick<StoredModel, 'name' | 'extra_args'>, provider: StoredProvider): ModelConnection {
    return {
      model_name: model.name,
      base_url: provider.base_url,
      api_key: this.#providers.keys(provider)[0] ?? null,
      extra_args: model.extra_args,
      fetch: this.#fetch,
    };
  }

  /** Whether a model only stands in until there is a real one; a model that is gone does, too. */
  async isPlaceholder(uuid: string): Promise<boolean> {
    const model = await this.#store.model('llm', uuid);
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    return provider === null || this.#providers.requester(provider.requester)?.category === 'builtin';
  }
}
