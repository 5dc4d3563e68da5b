import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type LanguageModel, ParleyError } from '@parley/sdk';
import { untilAborted } from '../../lib/waiting.ts';

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

/**
 * One request to a model and its stream. It is aborted when the answer is, when the model stalls and when the reader
 * stops early; a request that came to its end is not.
 */
export class ModelStream {
  readonly #model: LanguageModel;
  readonly #options: LanguageModelV4CallOptions;
  readonly #signal: AbortSignal;
  readonly #abort = new AbortController();
  readonly #follow = () => this.#stop(this.#signal.reason);
  #reader: Reader | null = null;
  #hasEnded = false;

  /** @param signal of the whole answer */
  constructor(model: LanguageModel, options: LanguageModelV4CallOptions, signal: AbortSignal) {
    this.#model = model;
    this.#options = options;
    this.#signal = signal;
    signal.addEventListener('abort', this.#follow, { once: true });
  }

  /**
   * The next part of the stream, null at the end. The first call sends the request.
   * @param patienceMs longest silence of the model, milliseconds
   * @throws ParleyError `provider_timeout`; the signal's reason when it is aborted; what the provider throws
   */
  async next(patienceMs: number): Promise<LanguageModelV4StreamPart | null> {
    const silence = setTimeout(() => this.#stop(timeout()), patienceMs);
    try {
      this.#reader ??= await this.#open();
      const { done, value } = await this.#reader.read();
      this.#abort.signal.throwIfAborted();
      this.#hasEnded = done;
      return done ? null : value;
    } catch (error) {
      // Not what a provider makes of an abort.
      this.#abort.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(silence);
    }
  }

  /** Aborts the request, unless it came to its end. */
  close(): void {
    this.#signal.removeEventListener('abort', this.#follow);
    if (!this.#hasEnded) this.#stop();
  }

  async #open(): Promise<Reader> {
    this.#signal.throwIfAborted();
    const { signal } = this.#abort;
    const sent = Promise.resolve(this.#model.doStream({ ...this.#options, abortSignal: signal }));
    try {
      const { stream } = await untilAborted(sent, signal);
      return stream.getReader();
    } catch (error) {
      // A model that does not heed the signal may answer later.
      if (signal.aborted) sent.then(({ stream }) => stream.cancel(signal.reason)).catch(ignore);
      throw error;
    }
  }

  #stop(reason?: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort(reason);
    // Ends a pending read at once, even if the model does not heed the signal.
    this.#reader?.cancel(this.#abort.signal.reason).catch(ignore);
  }
}

/** The error of a model that stalls. */
export function timeout(): ParleyError {
  return new ParleyError('provider_timeout', 'The model provider did not answer in time.');
}

const ignore = () => undefined;
