import { invalidFields, type ModelConnection, type ModelKind, type ModelRequester, ParleyError } from '@parley/sdk';
import { isUuid } from '../../lib/uuid.ts';
import type { ModelOpener } from './model-opener.ts';
import { modelProbes } from './model-probes.ts';
import type { ModelStore } from './model-store.ts';
import type { ModelTested, TestModel } from './model-test.ts';
import { callProvider, callTimeoutMilliseconds } from './provider-call.ts';
import type { ProviderService } from './provider-service.ts';

/** In place of a uuid: the model that the request describes, which need not be stored. */
export const unsavedModel = '_';

/** Calls a model once, to see whether it can be reached and answers. */
export class ModelTester {
  readonly #store: ModelStore;
  readonly #providers: ProviderService;
  readonly #opener: ModelOpener;
  readonly #timeout: number;

  constructor(
    store: ModelStore,
    providers: ProviderService,
    opener: ModelOpener,
    timeoutMilliseconds: number = callTimeoutMilliseconds,
  ) {
    this.#store = store;
    this.#providers = providers;
    this.#opener = opener;
    this.#timeout = timeoutMilliseconds;
  }

  /**
   * @param uuid of a stored model, of whose fields the request replaces `extra_args`, or {@link unsavedModel}
   * @param signal ends the test early
   * @throws ParleyError as {@link callProvider} when the model does not answer
   */
  async test(kind: ModelKind, uuid: string, request: TestModel, signal: AbortSignal): Promise<ModelTested> {
    const [requester, connection] =
      uuid === unsavedModel ? await this.#described(kind, request) : await this.#stored(kind, uuid, request);
    const started = performance.now();
    const answer = await callProvider(this.#timeout, signal, (limit) =>
      modelProbes[kind](requester, connection, limit),
    );
    return { latency_ms: Math.round(performance.now() - started), ...answer };
  }

  async #described(kind: ModelKind, request: TestModel): Promise<[ModelRequester, ModelConnection]> {
    const { name, extra_args = {} } = request;
    if (name === undefined) throw invalidFields([{ path: 'name', message: 'is required' }]);
    const choose = this.#providers.choice(request, kind);
    const { provider } = choose(await this.#store.storedProviders());
    return [this.#providers.installedRequester(provider), this.#opener.connection({ name, extra_args }, provider)];
  }

  async #stored(kind: ModelKind, uuid: string, request: TestModel): Promise<[ModelRequester, ModelConnection]> {
    const model = isUuid(uuid) ? await this.#store.model(kind, uuid.toLowerCase()) : null;
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    if (model === null || provider === null) throw new ParleyError('not_found', 'model not found');
    const { name, extra_args } = { ...model, ...(request.extra_args && { extra_args: request.extra_args }) };
    return [this.#providers.installedRequester(provider), this.#opener.connection({ name, extra_args }, provider)];
  }
}
