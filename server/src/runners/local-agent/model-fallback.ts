import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
  type ModelCall,
  type OpenedModel,
  type ParleyError,
  providerError,
  type Reason,
  type RunnerContext,
  type RunnerDelta,
} from '@parley/sdk';
import {
  type ModelAnswer,
  type ModelRequestOptions,
  type OfferedTools,
  RequestFailure,
  requestModel,
} from '../../kit/model-requests/model-request.ts';
import { type ModelRetryOptions, retryModelCall } from './model-retry.ts';

export interface ModelFallbackOptions extends ModelRetryOptions {
  /** Longest silence of a model, milliseconds. */
  silenceTimeoutMs: number;
}

/** One thing to ask, of whichever model answers. */
export interface Ask {
  messages: (opened: OpenedModel) => Promise<LanguageModelV4Prompt>;
  tools: (opened: OpenedModel) => Promise<OfferedTools | null>;
  note: Reason | null;
  separator: string;
  mayBeEmpty: boolean;
}

/** The answer of a model, and which one. */
export type FallbackAnswer = ModelAnswer & { opened: OpenedModel };

/** Failures that another key of the same provider may not have. */
const keyFailures: readonly Reason[] = ['quota', 'provider_unauthorized'];

/** The models of a pipeline, in order. One that failed before any text is replaced by the next for the whole answer. */
export class ModelFallback {
  readonly #models: readonly string[];
  readonly #context: RunnerContext;
  readonly #options: ModelFallbackOptions;
  #index = 0;
  #opened: OpenedModel | null = null;

  /** @param models their uuids, at least one */
  constructor(models: readonly string[], context: RunnerContext, options: ModelFallbackOptions) {
    this.#models = models;
    this.#context = context;
    this.#options = options;
  }

  /**
   * Calls the current model, and the next ones while there is no text yet.
   * @throws ParleyError of the first model, which is the one to fix
   */
  async *ask(ask: Ask): AsyncGenerator<RunnerDelta, FallbackAnswer> {
    let firstError: ParleyError | undefined;
    for (; this.#index < this.#models.length; this.#index += 1) {
      const uuid = this.#models[this.#index] ?? '';
      for (let keysTried = 1; ; keysTried += 1) {
        const received = { text: false };
        let opened: OpenedModel | null = null;
        let isKeyLeft = false;
        try {
          opened = this.#opened ?? (await this.#context.openModel(uuid));
          this.#options.signal.throwIfAborted();
          isKeyLeft = keysTried < opened.keys;
          const answer = yield* this.#withRetries(opened, ask, received, isKeyLeft);
          this.#opened = opened;
          return answer;
        } catch (thrown) {
          this.#options.signal.throwIfAborted();
          const error = thrown instanceof RequestFailure ? thrown.failure : providerError(thrown);
          const { reason, retryAfterSeconds } = error;
          opened?.report({ reason, retryAfterSeconds });
          this.#opened = null;
          firstError ??= error;
          if (received.text) throw error;
          isKeyLeft &&= keyFailures.includes(reason);
          if (isKeyLeft)
            this.#context.logger.warn({ model_uuid: uuid, reason }, 'a key was refused, trying the next one');
        }
        if (!isKeyLeft) break;
      }
      if (!this.#isLast) {
        const reason = firstError?.reason;
        this.#context.logger.warn({ model_uuid: uuid, reason }, 'a model failed, trying the next one');
      }
    }
    // A later call for the same answer has retries with the last model again.
    this.#index = this.#models.length - 1;
    throw firstError;
  }

  get #isLast(): boolean {
    return this.#index === this.#models.length - 1;
  }

  /** Calls one model with one key; retries with a pause after a transient failure before the first chunk. */
  async *#withRetries(
    opened: OpenedModel,
    ask: Ask,
    received: { text: boolean },
    isKeyLeft: boolean,
  ): AsyncGenerator<RunnerDelta, FallbackAnswer> {
    const calls: ModelCall[] = [];
    const { silenceTimeoutMs, signal } = this.#options;
    const tools = await ask.tools(opened);
    const request: ModelRequestOptions = {
      messages: await ask.messages(opened),
      tools,
      signal,
      silenceTimeoutMs,
      readMedia: this.#context.readMedia,
      note: ask.note,
      separator: ask.separator,
      mayBeEmpty: ask.mayBeEmpty,
      record: (call) => calls.push(call),
    };
    try {
      const start = async () => {
        const pieces = requestModel(opened, request);
        return { pieces, next: await pieces.next() };
      };
      const started = await retryModelCall(start, { hasModel: !this.#isLast, hasKey: isKeyLeft }, this.#options);
      opened.report(null);
      try {
        let { next } = started;
        for (; !next.done; next = await started.pieces.next()) {
          received.text ||= next.value.type !== 'reasoning';
          // Delegating would cost several promises for each delta, also without a call.
          for (const call of recorded(calls)) yield call;
          yield next.value;
        }
        yield* recorded(calls);
        return { ...next.value, opened };
      } finally {
        // Aborts the request when the reader stops early.
        await started.pieces.return(nothing);
      }
    } catch (error) {
      yield* recorded(calls);
      throw error;
    }
  }
}

const nothing: ModelAnswer = { text: '', said: [], calls: [] };

function* recorded(calls: ModelCall[]): Generator<RunnerDelta> {
  for (const call of calls.splice(0)) yield { type: 'model_call', call };
}
