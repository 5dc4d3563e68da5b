import { invalidFields, type OpenedModel, ParleyError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { CreateLanguageModel, LanguageModelRecord } from './language-model.ts';
import type { ModelStore } from './model-store.ts';
import type { Provider } from './provider.ts';
import type { ProviderService } from './provider-service.ts';

export interface LanguageModelServiceOptions {
  /** HTTP client for addresses that an administrator saved. */
  fetch: typeof globalThis.fetch;
  /** Called with the uuid of each new model, so that a pipeline without one can take it up. */
  modelCreated: (uuid: string) => Promise<void>;
}

/** Language models and how a runner gets hold of one. */
export class LanguageModelService {
  readonly #store: ModelStore;
  readonly #providers: ProviderService;
  readonly #options: LanguageModelServiceOptions;

  constructor(store: ModelStore, providers: ProviderService, options: LanguageModelServiceOptions) {
    this.#store = store;
    this.#providers = providers;
    this.#options = options;
  }

  /** Without a filter each model carries its provider, as clients of the reference system expect. */
  async list(providerUuid?: string): Promise<LanguageModelRecord[]> {
    if (providerUuid !== undefined) {
      return isUuid(providerUuid) ? this.#store.languageModels(providerUuid.toLowerCase()) : [];
    }
    const [models, providers] = await Promise.all([this.#store.languageModels(), this.#store.providers()]);
    const byUuid = new Map(providers.map((provider) => [provider.uuid, provider]));
    return models.map((model) => withProvider(model, byUuid.get(model.provider_uuid)));
  }

  /** @returns the new model's uuid */
  async create(request: CreateLanguageModel): Promise<string> {
    const uuid = newUuid();
    const created = await this.#store.createLanguageModel({
      uuid,
      name: request.name,
      provider_uuid: await this.#providerFor(request),
      abilities: request.abilities ?? [],
      extra_args: request.extra_args ?? {},
      prefered_ranking: request.prefered_ranking ?? 0,
      created_at: now(),
      updated_at: now(),
    });
    if (!created) throw unknownProvider();
    await this.#options.modelCreated(uuid);
    return uuid;
  }

  /** @throws ParleyError `model_not_configured` when the model, its provider or its requester is gone */
  async open(uuid: string): Promise<OpenedModel> {
    const model = isUuid(uuid) ? await this.#store.languageModel(uuid.toLowerCase()) : null;
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    const requester = provider === null ? undefined : this.#providers.requester(provider.requester);
    if (model === null || provider === null || requester === undefined) {
      throw new ParleyError('model_not_configured', 'The pipeline names a model that does not exist');
    }
    return {
      uuid: model.uuid,
      name: model.name,
      model: await requester.languageModel({
        model_name: model.name,
        base_url: provider.base_url,
        api_key: this.#providers.keys(provider)[0] ?? null,
        extra_args: model.extra_args,
        fetch: this.#options.fetch,
      }),
    };
  }

  /** Whether a model only stands in until there is a real one; a model that is gone does, too. */
  async isPlaceholder(uuid: string): Promise<boolean> {
    const model = await this.#store.languageModel(uuid);
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    return provider === null || this.#providers.requester(provider.requester)?.category === 'builtin';
  }

  async #providerFor(request: CreateLanguageModel): Promise<string> {
    const uuid = request.provider_uuid ?? request.provider?.uuid;
    if (uuid !== undefined) {
      if (isUuid(uuid) && (await this.#store.provider(uuid.toLowerCase())) !== null) return uuid.toLowerCase();
      throw unknownProvider();
    }
    const { requester, base_url, api_keys = [] } = request.provider ?? {};
    if (requester === undefined || base_url === undefined) {
      throw new ParleyError('invalid_request', 'provider_uuid: is required', {
        details: [{ path: 'provider_uuid', message: 'is required, or a provider with requester and base_url' }],
      });
    }
    const wanted = listed(api_keys.filter((key) => key.trim() !== ''));
    for (const stored of await this.#store.storedProviders()) {
      if (stored.requester !== requester || stored.base_url !== base_url.trim()) continue;
      // A client that shows a provider sends back the masked keys it was given.
      if (wanted === listed(this.#providers.keys(stored)) || wanted === listed(stored.api_keys)) return stored.uuid;
    }
    const name = URL.parse(base_url)?.host ?? requester;
    return this.#providers.create({ name, requester, base_url, api_keys });
  }
}

function listed(keys: string[]): string {
  return [...keys].sort().join('\n');
}

function withProvider(model: LanguageModelRecord, provider: Provider | undefined): LanguageModelRecord {
  return provider === undefined ? model : { ...model, provider };
}

function unknownProvider(): ParleyError {
  return invalidFields([{ path: 'provider_uuid', message: 'provider not found' }]);
}
