import {
  invalidFields,
  type ModelConnection,
  type ModelKind,
  type ModelRequester,
  ParleyError,
  providerError,
} from '@parley/sdk';
import { isUuid } from '../../lib/uuid.ts';
import type { ModelOpener } from './model-opener.ts';
import { modelProbes } from './model-probes.ts';
import type { ModelStore } from './model-store.ts';
import type { ModelTested, TestModel } from './model-test.ts';
import type { StoredProvider } from './provider.ts';
import type { ProviderService } from './provider-service.ts';

/** In place of a uuid: the model that the request describes, which need not be stored. */
export const unsavedModel = '_';

/** Clients of the reference system give up after 30 seconds. */
const defaultTimeoutMilliseconds = 25_000;

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
    timeoutMilliseconds: number = defaultTimeoutMilliseconds,
  ) {
    this.#store = store;
    this.#providers = providers;
    this.#opener = opener;
    this.#timeout = timeoutMilliseconds;
  }

  /**
   * @param uuid of a stored model, of whose fields the request replaces `extra_args`, or {@link unsavedModel}
   * @param signal ends the test early
   * @throws ParleyError `provider_timeout`, `provider_failed`, `provider_unauthorized` or `quota` when the model does not
   *   answer
   */
  async test(kind: ModelKind, uuid: string, request: TestModel, signal: AbortSignal): Promise<ModelTested> {
    const [requester, connection] =
      uuid === unsavedModel ? await this.#described(kind, request) : await this.#stored(kind, uuid, request);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#timeout)]);
    const started = performance.now();
    try {
      const answer = await unlessAborted(limit, () => modelProbes[kind](requester, connection, limit));
      return { latency_ms: Math.round(performance.now() - started), ...answer };
    } catch (error) {
      throw providerError(error);
    }
  }

  async #described(kind: ModelKind, request: TestModel): Promise<[ModelRequester, ModelConnection]> {
    const { name, extra_args = {} } = request;
    if (name === undefined) throw invalidFields([{ path: 'name', message: 'is required' }]);
    const choose = this.#providers.choice(request, kind);
    const { provider } = choose(await this.#store.storedProviders());
    return [this.#requesterOf(provider), this.#opener.connection({ name, extra_args }, provider)];
  }

  async #stored(kind: ModelKind, uuid: string, request: TestModel): Promise<[ModelRequester, ModelConnection]> {
    const model = isUuid(uuid) ? await this.#store.model(kind, uuid.toLowerCase()) : null;
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    if (model === null || provider === null) throw new ParleyError('not_found', 'model not found');
    const { name, extra_args } = { ...model, ...(request.extra_args && { extra_args: request.extra_args }) };
    return [this.#requesterOf(provider), this.#opener.connection({ name, extra_args }, provider)];
  }

  #requesterOf(provider: StoredProvider): ModelRequester {
    const requester = this.#providers.requester(provider.requester);
    if (requester !== undefined) return requester;
    throw new ParleyError('conflict', `The requester "${provider.requester}" is not installed`);
  }
}

/** Does not wait for work that goes on in spite of its signal. */
async function unlessAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
