import type { ModelKind } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { isUuid } from '../../lib/uuid.ts';
import type { Author } from '../accounts/author.ts';
import type { ModelOpener } from './model-opener.ts';
import type { ModelStore } from './model-store.ts';
import { longestName, type NamedProvider, type StoredProvider } from './provider.ts';
import { callProvider, callTimeoutMs } from './provider-call.ts';
import { type ProviderService, providerNotFound } from './provider-service.ts';

/** More than any provider has; a form could not show them. */
const maximumModels = 10_000;
const kinds: ReadonlySet<string> = new Set<ModelKind>(['llm', 'text-embedding', 'rerank']);

export const AvailableModel = Type.Object(
  {
    id: Type.String({ description: 'The `name` of a model record.' }),
    kinds: Type.Optional(
      Type.Array(Type.Enum(['llm', 'text-embedding', 'rerank']), {
        description: 'Absent when the provider does not report it.',
      }),
    ),
    label: Type.Optional(Type.String({ description: 'Display name at the provider.' })),
  },
  { title: 'AvailableModel' },
);

/** The models that a provider offers. */
export const AvailableModels = Type.Object({
  supported: Type.Boolean({ description: 'False when providers of this kind have no list; `models` is empty then.' }),
  models: Type.Array(AvailableModel),
});
export type AvailableModels = Static<typeof AvailableModels>;

/** Asks providers which models they offer. */
export class ModelCatalog {
  readonly #store: ModelStore;
  readonly #providers: ProviderService;
  readonly #opener: ModelOpener;
  readonly #timeout: number;

  constructor(store: ModelStore, providers: ProviderService, opener: ModelOpener, timeoutMs: number = callTimeoutMs) {
    this.#store = store;
    this.#providers = providers;
    this.#opener = opener;
    this.#timeout = timeoutMs;
  }

  /**
   * @param signal ends the call early
   * @throws ParleyError `not_found`, `conflict` when the requester is gone, or as {@link callProvider}
   */
  async list(providerUuid: string, signal: AbortSignal): Promise<AvailableModels> {
    const provider = isUuid(providerUuid) ? await this.#store.storedProvider(providerUuid.toLowerCase()) : null;
    if (provider === null) throw providerNotFound();
    return this.#listOf(provider, signal);
  }

  /**
   * The models of a provider that need not be stored. Stores nothing.
   * @param signal ends the call early
   * @throws ParleyError as {@link ProviderService.choice} and {@link callProvider}
   */
  async listUnsaved(request: NamedProvider, author: Author, signal: AbortSignal): Promise<AvailableModels> {
    const choose = await this.#providers.choice(request, null, author);
    return this.#listOf(choose(await this.#store.storedProviders()).provider, signal);
  }

  async #listOf(provider: StoredProvider, signal: AbortSignal): Promise<AvailableModels> {
    const { listModels } = this.#providers.installedRequester(provider);
    if (listModels === undefined) return { supported: false, models: [] };
    const { base_url, api_key, fetch } = this.#opener.connection({ name: '', extra_args: {} }, provider);
    const offered = await callProvider(this.#timeout, signal, (limit) =>
      listModels({ base_url, api_key, fetch }, limit),
    );
    return {
      supported: true,
      // A longer name could not be stored.
      models: offered
        .filter(({ id }) => id !== '' && id.length <= longestName)
        .slice(0, maximumModels)
        .map(({ id, kinds: reported, label }) => ({
          id,
          ...(reported === undefined ? {} : { kinds: reported.filter((kind) => kinds.has(kind)) }),
          ...(label === undefined ? {} : { label }),
        })),
    };
  }
}
