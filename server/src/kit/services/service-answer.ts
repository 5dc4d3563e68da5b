import { ParleyError, providerError } from '@parley/sdk';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Maximum size of one answer, characters: text, and files in base64. */
const longestAnswer = 64 * 1024 * 1024;
/** Maximum size of one event of a stream, characters. */
const longestEvent = 16 * 1024 * 1024;

export interface ServiceAnswerOptions {
  name: string;
  signal: AbortSignal;
  /** Ends the call. */
  stop: AbortController;
  silenceTimeoutMs: number;
  /** The error of a stalled answer. */
  silent: () => ParleyError;
  /** Called once nothing more is read. */
  ended: () => void;
}

/** An event of a stream. `event` is empty if missing. */
export interface ServiceEvent {
  event: string;
  data: string;
}

/** A response whose headers have arrived. Its content can be read once, in one of several ways. */
export class ServiceAnswer {
  readonly status: number;
  /** Without parameters, in lower case: `text/event-stream`. Empty when the service named none. */
  readonly mediaType: string;
  readonly #response: Response;
  readonly #options: ServiceAnswerOptions;

  constructor(response: Response, options: ServiceAnswerOptions) {
    this.status = response.status;
    this.mediaType = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    this.#response = response;
    this.#options = options;
  }

  /** Hangs up without reading. */
  async close(): Promise<void> {
    this.#options.ended();
    this.#options.stop.abort();
  }

  /**
   * The bytes as they come.
   * @throws ParleyError `provider_timeout` after too long a silence, `provider_failed` when the connection breaks or
   *   more comes than may; the signal's reason when it is aborted
   */
  async *bytes(most = longestAnswer): AsyncGenerator<Uint8Array> {
    const { signal, stop, silenceTimeoutMs, silent, ended, name } = this.#options;
    const reader = this.#response.body?.getReader();
    let size = 0;
    let silence: NodeJS.Timeout | undefined;
    try {
      while (reader !== undefined) {
        silence = setTimeout(() => stop.abort(silent()), silenceTimeoutMs);
        const { done, value } = await reader.read();
        clearTimeout(silence);
        signal.throwIfAborted();
        if (done) return;
        size += value.byteLength;
        if (size > most) throw new ParleyError('provider_failed', `The answer of ${name} is too long.`);
        yield value;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ParleyError) throw error;
      const fault = providerError(error, name);
      // The response had started, so the service was reached.
      throw fault.reason === 'provider_timeout'
        ? fault
        : new ParleyError('provider_failed', `The answer of ${name} broke off.`);
    } finally {
      clearTimeout(silence);
      ended();
      stop.abort();
    }
  }

  /** The text as it comes, in UTF-8. @throws as {@link bytes} */
  async *pieces(most = longestAnswer): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const chunk of this.bytes(most)) {
      const piece = decoder.decode(chunk, { stream: true });
      if (piece !== '') yield piece;
    }
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  }

  /** All of the text. @throws as {@link bytes} */
  async text(most = longestAnswer): Promise<string> {
    const pieces: string[] = [];
    for await (const piece of this.pieces(most)) pieces.push(piece);
    return pieces.join('');
  }

  /** @throws as {@link bytes}, and ParleyError `provider_failed` when it is not JSON */
  async json(most = longestAnswer): Promise<unknown> {
    const text = await this.text(most);
    try {
      return JSON.parse(text);
    } catch {
      throw new ParleyError('provider_failed', `The answer of ${this.#options.name} is malformed: it is not JSON.`);
    }
  }

  /**
   * Server-sent events, each once complete. The last one needs no empty line at the end of the stream.
   * @throws as {@link bytes}, and ParleyError `provider_failed` for an event that is too long
   */
  async *events(): AsyncGenerator<ServiceEvent> {
    const { signal, name } = this.#options;
    const waiting: EventSourceMessage[] = [];
    let isTooLong = false;
    const parser = createParser({
      onEvent: (event) => waiting.push(event),
      onError: ({ type }) => {
        isTooLong ||= type === 'max-buffer-size-exceeded';
      },
      maxBufferSize: longestEvent,
    });
    const parsed = function* (piece: string): Generator<ServiceEvent> {
      parser.feed(piece);
      for (const { event = '', data } of waiting.splice(0)) {
        yield { event, data };
        signal.throwIfAborted();
      }
      if (isTooLong) throw new ParleyError('provider_failed', `An event of ${name} is too long.`);
    };
    for await (const piece of this.pieces()) yield* parsed(piece);
    yield* parsed('\n\n');
  }

  /**
   * The JSON in server-sent events; `[DONE]` ends them, and events without data are skipped.
   * @throws as {@link events}, and ParleyError `provider_failed` for invalid JSON
   */
  async *jsonEvents(): AsyncGenerator<{ event: string; data: unknown }> {
    for await (const { event, data } of this.events()) {
      if (data.trim() === '[DONE]') return;
      if (data.trim() === '') continue;
      let parsed: unknown;
      try {
        parsed = JSON.parse(data);
      } catch {
        throw new ParleyError('provider_failed', `An event of ${this.#options.name} is malformed: it is not JSON.`);
      }
      yield { event, data: parsed };
    }
  }
}
