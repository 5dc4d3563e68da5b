import { type ModelKind, ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import type { Author } from '../accounts/author.ts';
import type { ListedRecords, NamedRecord, RecordListing } from '../records/record-listing.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import type { CreateModel, ModelFilter, ModelRecord, StoredModel, UpdateModel } from './model.ts';
import type { ModelStore, ModelUser } from './model-store.ts';
import type { Provider } from './provider.ts';
import type { ProviderService } from './provider-service.ts';

export interface ModelServiceOptions {
  /** Called with the uuid of each new model, so that a pipeline without one can take it up. */
  modelCreated?: (uuid: string) => Promise<void>;
}

/** The models of one kind. */
export class ModelService {
  readonly #kind: ModelKind;
  readonly #store: ModelStore;
  readonly #providers: ProviderService;
  readonly #options: ModelServiceOptions;

  constructor(kind: ModelKind, store: ModelStore, providers: ProviderService, options: ModelServiceOptions = {}) {
    this.#kind = kind;
    this.#store = store;
    this.#providers = providers;
    this.#options = options;
  }

  /** Without a filter each model carries its provider, as clients of the reference system expect. */
  async list(providerUuid?: string): Promise<ModelRecord[]> {
    if (providerUuid !== undefined) {
      if (!isUuid(providerUuid)) return [];
      return (await this.#store.models(this.#kind, providerUuid.toLowerCase())).map((model) => this.#shown(model));
    }
    const [models, providers] = await Promise.all([this.#store.models(this.#kind), this.#store.providers()]);
    const byUuid = new Map(providers.map((provider) => [provider.uuid, provider]));
    return models.map((model) => this.#shown(model, byUuid.get(model.provider_uuid)));
  }

  /** As {@link list}: with a filter for the provider, models come without it. */
  async page(listing: RecordListing & ModelFilter): Promise<ListedRecords<ModelRecord>> {
    const { records, total } = await this.#store.modelPage(this.#kind, listing);
    const providers = listing.provider_uuid === undefined ? await this.#store.providers() : [];
    const byUuid = new Map(providers.map((provider) => [provider.uuid, provider]));
    return { records: records.map((model) => this.#shown(model, byUuid.get(model.provider_uuid))), total };
  }

  /** All matches, by uuid. */
  names(listing: RecordListing & ModelFilter): Promise<NamedRecord[]> {
    return this.#store.modelNames(this.#kind, listing);
  }

  /** With its provider. */
  async get(uuid: string): Promise<ModelRecord> {
    return (await this.tagged(uuid)).record;
  }

  /** With its provider, which the tag is not about. */
  async tagged(uuid: string): Promise<Tagged<ModelRecord>> {
    const model = isUuid(uuid) ? await this.#store.model(this.#kind, uuid.toLowerCase()) : null;
    if (model === null) throw notFound();
    const provider = (await this.#store.provider(model.provider_uuid)) ?? undefined;
    return { record: this.#shown(model, provider), tag: () => recordTag(model, []) };
  }

  /** @returns the new model's uuid */
  async create(request: CreateModel, author: Author = 'other'): Promise<string> {
    const uuid = newUuid();
    const model = {
      uuid,
      name: request.name,
      abilities: request.abilities ?? [],
      extra_args: request.extra_args ?? {},
      prefered_ranking: request.prefered_ranking ?? 0,
      created_at: now(),
      updated_at: now(),
    };
    await this.#store.createModel(this.#kind, model, await this.#providers.choice(request, this.#kind, author));
    await this.#options.modelCreated?.(uuid);
    return uuid;
  }

  /** @throws ParleyError `not_found`, `record_changed`, or as {@link ProviderService.choice} */
  async update(
    uuid: string,
    changes: UpdateModel,
    author: Author = 'other',
    expected: ExpectedTags = null,
  ): Promise<void> {
    const { provider_uuid, provider, ...fields } = changes;
    // An empty uuid names none: the model stays where it is.
    const isMoved = Boolean(provider_uuid) || provider !== undefined;
    const isKnown =
      isUuid(uuid) &&
      (await this.#store.updateModel(
        this.#kind,
        uuid.toLowerCase(),
        (stored) => {
          requireTag(expected, () => recordTag(stored, []));
          return { ...stored, ...fields, updated_at: now() };
        },
        isMoved ? await this.#providers.choice(changes, this.#kind, author) : null,
      ));
    if (!isKnown) throw notFound();
  }

  /** @throws ParleyError `in_use` while pipelines or knowledge bases name it */
  async delete(uuid: string): Promise<void> {
    const users = isUuid(uuid) ? await this.#store.deleteModel(this.#kind, uuid.toLowerCase()) : null;
    if (users === null) throw notFound();
    if (users.length === 0) return;
    const kinds = [...new Set(users.map(({ kind }) => userKinds[kind].name))].join(' and ');
    throw new ParleyError('in_use', `Cannot delete model: ${kinds} still use it`, {
      details: users.map(({ kind, uuid, name }) => ({ path: `${userKinds[kind].path}/${uuid}`, message: name })),
    });
  }

  #shown({ abilities, ...model }: StoredModel, provider?: Provider): ModelRecord {
    return {
      ...model,
      ...(this.#kind === 'llm' ? { abilities } : {}),
      ...(provider === undefined ? {} : { provider }),
    };
  }
}

const userKinds: Record<ModelUser['kind'], { name: string; path: string }> = {
  pipeline: { name: 'pipelines', path: 'pipelines' },
  knowledge_base: { name: 'knowledge bases', path: 'knowledge/bases' },
};

function notFound(): ParleyError {
  return problemError('model_not_found');
}
