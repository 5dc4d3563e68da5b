import {
  invalidFields,
  type Logger,
  type ModelConnection,
  type ModelKind,
  type ModelRequester,
  type ParleyError,
  problemError,
} from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import { isUuid } from '../../lib/uuid.ts';
import type { Author } from '../accounts/author.ts';
import type { EmbeddingCall, EmbeddingCallStore } from '../monitoring/embedding-call.ts';
import type { ModelOpener } from './model-opener.ts';
import { modelProbes } from './model-probes.ts';
import type { ModelStore } from './model-store.ts';
import type { ModelTested, TestModel } from './model-test.ts';
import { callProvider, callTimeoutMs } from './provider-call.ts';
import type { ProviderService } from './provider-service.ts';

/** In place of a uuid: the model that the request describes, which need not be stored. */
export const unsavedModel = '_';

/** How the test of an embedding model went. */
interface Tested {
  startedAt: Date;
  milliseconds: number;
  tokens: number;
  failure: ParleyError | null;
  isGivenUp: boolean;
}

export interface ModelTesterOptions {
  /** Calls of embedding models are recorded, also those of tests, since providers charge for them. */
  calls: Pick<EmbeddingCallStore, 'record'>;
  logger: Logger;
  timeoutMs?: number;
}

export interface ModelTestOptions {
  signal: AbortSignal;
  author?: Author;
  /** Called with the address before the request. */
  about?: (address: string) => void;
}

/** Calls a model once, to see whether it can be reached and answers. */
export class ModelTester {
  readonly #store: ModelStore;
  readonly #providers: ProviderService;
  readonly #opener: ModelOpener;
  readonly #options: ModelTesterOptions;

  constructor(store: ModelStore, providers: ProviderService, opener: ModelOpener, options: ModelTesterOptions) {
    this.#store = store;
    this.#providers = providers;
    this.#opener = opener;
    this.#options = options;
  }

  /**
   * @param uuid of a stored model, of whose fields the request replaces `extra_args`, or {@link unsavedModel}
   * @param signal ends the test early
   * @throws ParleyError as {@link callProvider} when the model does not answer
   */
  async test(
    kind: ModelKind,
    uuid: string,
    request: TestModel,
    { signal, author = 'other', about }: ModelTestOptions,
  ): Promise<ModelTested> {
    const [requester, connection] =
      uuid === unsavedModel ? await this.#described(kind, request, author) : await this.#stored(kind, uuid, request);
    about?.(connection.base_url || requester.default_base_url);
    const startedAt = new Date(present());
    const started = performance.now();
    const record = (tokens: number, failure: ParleyError | null) => {
      if (kind !== 'text-embedding') return;
      const milliseconds = Math.round(performance.now() - started);
      const model = { uuid: uuid === unsavedModel ? null : uuid.toLowerCase(), name: connection.model_name };
      return this.#record(model, { startedAt, milliseconds, tokens, failure, isGivenUp: signal.aborted });
    };
    try {
      const { timeoutMs = callTimeoutMs } = this.#options;
      const { embeddedTokens = 0, ...answer } = await callProvider(timeoutMs, signal, (limit) =>
        modelProbes[kind](requester, connection, limit),
      );
      const latency_ms = Math.round(performance.now() - started);
      await record(embeddedTokens, null);
      return { latency_ms, ...answer };
    } catch (error) {
      await record(0, error as ParleyError);
      throw error;
    }
  }

  async #record(
    model: { uuid: string | null; name: string },
    { startedAt, milliseconds, tokens, failure, isGivenUp }: Tested,
  ): Promise<void> {
    const counted = Number.isFinite(tokens) ? Math.max(0, Math.trunc(tokens)) : 0;
    const { calls, logger } = this.#options;
    const call: EmbeddingCall = {
      model_uuid: model.uuid,
      model_name: model.name,
      started_at: startedAt.toISOString(),
      milliseconds,
      prompt_tokens: counted,
      total_tokens: counted,
      input_count: 1,
      reason: failure === null ? null : isGivenUp ? 'cancelled' : failure.reason,
      error: failure === null || isGivenUp ? null : failure.message,
      knowledge_base_uuid: null,
      plugin_id: null,
      query_text: null,
      session_id: null,
      message_uuid: null,
      call_type: 'embedding',
    };
    await calls.record(call).catch((error: unknown) => {
      logger.error({ error }, 'the test of an embedding model could not be recorded');
    });
  }

  async #described(kind: ModelKind, request: TestModel, author: Author): Promise<[ModelRequester, ModelConnection]> {
    const { name, extra_args = {} } = request;
    if (name === undefined) throw invalidFields([{ path: 'name', message: 'is required', rule: 'required' }]);
    const choose = await this.#providers.choice(request, kind, author);
    const { provider } = choose(await this.#store.storedProviders());
    return [this.#providers.installedRequester(provider), this.#opener.connection({ name, extra_args }, provider)];
  }

  async #stored(kind: ModelKind, uuid: string, request: TestModel): Promise<[ModelRequester, ModelConnection]> {
    const model = isUuid(uuid) ? await this.#store.model(kind, uuid.toLowerCase()) : null;
    const provider = model === null ? null : await this.#store.storedProvider(model.provider_uuid);
    if (model === null || provider === null) throw problemError('model_not_found');
    const { name, extra_args } = { ...model, ...(request.extra_args && { extra_args: request.extra_args }) };
    return [this.#providers.installedRequester(provider), this.#opener.connection({ name, extra_args }, provider)];
  }
}
