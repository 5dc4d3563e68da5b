import {
  type MessageElement,
  type ModelCall,
  mayPass,
  type OpenedModel,
  ParleyError,
  providerError,
  type Reason,
  type RunnerContext,
  type RunnerDelta,
} from '@parley/sdk';
import type { AssistantModelMessage, GeneratedFile, ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { now } from '../../lib/clock.ts';
import type { WantedCall } from './tool-round.ts';

/** Time for the rest of a stream, mainly its token usage, after an error, milliseconds. */
const patienceAfterError = 1000;
/** White space buffered before the first word, characters: some models generate it without end. */
const longestLeading = 1000;

export interface ModelRequestOptions {
  messages: ModelMessage[];
  /** Null when the model must answer without. */
  tools: ToolSet | null;
  signal: AbortSignal;
  /** Longest silence before the first word and between two, milliseconds. */
  silenceTimeoutMs: number;
  readMedia: RunnerContext['readMedia'];
  /** Noted on the call when it succeeds. */
  note: Reason | null;
  /** Inserted before the first chunk of text, if there was text before. */
  separator: string;
  /** Whether an answer without any text will do, because there is one already. */
  mayBeEmpty: boolean;
  record: (call: ModelCall) => void;
}

/** Results of a model call other than streamed text. */
export interface ModelAnswer {
  text: string;
  said: AssistantModelMessage[];
  calls: WantedCall[];
}

/** Why a request brought no whole answer. */
export class RequestFailure extends Error {
  readonly failure: ParleyError;
  /** Whether the failure is transient. */
  readonly mayPass: boolean;

  constructor(failure: ParleyError, passing: boolean) {
    super(failure.message);
    this.name = 'RequestFailure';
    this.failure = failure;
    this.mayPass = passing;
  }
}

/**
 * Sends one request to a model. The text starts with a non-space character, so that blank answers can be skipped.
 * @throws RequestFailure, or the signal's reason when it is aborted
 */
export async function* requestModel(
  opened: OpenedModel,
  options: ModelRequestOptions,
): AsyncGenerator<RunnerDelta, ModelAnswer> {
  const request = new ModelRequest(opened, options);
  try {
    const answer = yield* request.run();
    request.end(options.note, null);
    return answer;
  } catch (error) {
    if (options.signal.aborted) {
      request.end(reasonOf(options.signal), 'The answer was given up.');
      throw options.signal.reason;
    }
    const failure = error instanceof RequestFailure ? error : new RequestFailure(providerError(error), mayPass(error));
    request.end(failure.failure.reason, failure.message);
    throw failure;
  } finally {
    // The reader stopped early.
    request.end('interrupted', 'The answer was given up.');
  }
}

type Part = TextStreamPart<ToolSet>;
type Finish = Pick<Part & { type: 'finish' }, 'finishReason' | 'rawFinishReason'>;

/** One request, from start to record. */
class ModelRequest {
  readonly #opened: OpenedModel;
  readonly #options: ModelRequestOptions;
  readonly #startedAt = now();
  readonly #started = performance.now();
  #firstPiece: number | null = null;
  #usage = { input_tokens: 0, output_tokens: 0 };
  #isRecorded = false;
  #leading = '';
  #text = '';
  #hasFiles = false;
  #calls: WantedCall[] = [];

  constructor(opened: OpenedModel, options: ModelRequestOptions) {
    this.#opened = opened;
    this.#options = options;
  }

  async *run(): AsyncGenerator<RunnerDelta, ModelAnswer> {
    const { signal, silenceTimeoutMs } = this.#options;
    // Aborts the model when it stalls (the SDK's own timeout only covers the time after the response headers) and when
    // the reader stops early, where the SDK would let it finish.
    const stop = new AbortController();
    let silence: NodeJS.Timeout | undefined;
    const awaitNext = (milliseconds: number) => {
      silence = setTimeout(() => stop.abort(), milliseconds);
    };
    const result = await this.#begin(AbortSignal.any([signal, stop.signal]));
    let failed: { error: unknown } | null = null;
    let finish: Finish | null = null;
    try {
      awaitNext(silenceTimeoutMs);
      for await (const part of result.stream) {
        clearTimeout(silence);
        signal.throwIfAborted();
        if (part.type === 'finish') {
          const { inputTokens = 0, outputTokens = 0 } = part.totalUsage;
          this.#usage = { input_tokens: inputTokens, output_tokens: outputTokens };
          finish = part;
        }
        if (part.type === 'error') failed ??= part;
        const delta = failed === null ? this.#deltaOf(part) : null;
        if (delta !== null) yield delta;
        awaitNext(failed === null ? silenceTimeoutMs : Math.min(silenceTimeoutMs, patienceAfterError));
      }
    } catch (error) {
      if (failed === null || signal.aborted) throw error;
    } finally {
      clearTimeout(silence);
      stop.abort();
    }
    signal.throwIfAborted();
    if (failed !== null) throw failed.error;
    const calls = this.#wholeCalls(finish);
    const said = (await result.responseMessages).filter((message) => message.role === 'assistant');
    return { text: this.#text, said, calls };
  }

  async #begin(abortSignal: AbortSignal) {
    const { messages, tools, readMedia } = this.#options;
    const { streamText } = await loadSdk();
    return streamText({
      model: this.#opened.model,
      messages,
      ...(tools === null ? {} : { tools }),
      // The prompt is the operator's; user input only ever becomes user messages.
      allowSystemInMessages: true,
      abortSignal,
      maxRetries: 0,
      telemetry: { isEnabled: false },
      // The same error comes as a part of the stream; without this it is printed as well.
      onError: () => undefined,
      // A URL of a generated file must not make the server send requests.
      experimental_download: (wanted) =>
        Promise.all(
          wanted.map(async ({ url }) => {
            const { bytes, media_type } = await readMedia({ type: 'File', url: url.href });
            return { data: bytes, mediaType: media_type };
          }),
        ),
    });
  }

  /** The delta for a part of the stream; null if none. */
  #deltaOf(part: Part): RunnerDelta | null {
    switch (part.type) {
      case 'text-delta':
        return part.text === '' ? null : this.#textDelta(part.text);
      case 'reasoning-delta':
        if (part.text === '') return null;
        this.#piece();
        return { type: 'reasoning', text: part.text };
      case 'file':
        this.#piece();
        this.#hasFiles = true;
        return { type: 'attachment', element: elementOf(part.file) };
      case 'tool-input-start':
        this.#piece();
        return null;
      case 'tool-call':
        this.#piece();
        if (!part.providerExecuted) {
          this.#calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
        }
        return null;
      case 'abort':
        throw new RequestFailure(
          new ParleyError('provider_timeout', 'The model provider did not answer in time.'),
          false,
        );
      default:
        return null;
    }
  }

  /** White space before the first word waits for it. */
  #textDelta(text: string): RunnerDelta | null {
    this.#piece();
    if (this.#text === '' && text.trim() === '') {
      this.#leading = (this.#leading + text).slice(-longestLeading);
      return null;
    }
    const piece = this.#text === '' ? this.#options.separator + this.#leading + text : text;
    this.#text += piece;
    return { type: 'text', text: piece };
  }

  /** The tool calls of a complete answer. @throws RequestFailure when it is incomplete or empty */
  #wholeCalls(finish: Finish | null): WantedCall[] {
    if (finish === null || isCut(finish)) {
      throw new RequestFailure(new ParleyError('provider_failed', 'The answer of the model provider broke off.'), true);
    }
    const { tools, mayBeEmpty } = this.#options;
    const calls = tools === null ? [] : this.#calls;
    if (this.#text === '' && !this.#hasFiles && calls.length === 0 && !mayBeEmpty)
      throw this.#empty(finish.finishReason);
    return calls;
  }

  /** Records the request; only the first word about how it ended counts. */
  end(reason: Reason | null, error: string | null): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    this.#options.record({
      model_uuid: this.#opened.uuid,
      model_name: this.#opened.name,
      started_at: this.#startedAt,
      milliseconds: this.#elapsed(),
      first_piece_milliseconds: this.#firstPiece,
      ...this.#usage,
      reason,
      error,
    });
  }

  #piece(): void {
    this.#firstPiece ??= this.#elapsed();
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#started);
  }

  #empty(finishReason: string): RequestFailure {
    const { note } = this.#options;
    const failure =
      finishReason === 'content-filter'
        ? new ParleyError('provider_failed', "The provider's content filter blocked the answer.")
        : note === 'step_limit'
          ? new ParleyError('step_limit', 'The model called tools as often as it may and gave no answer.')
          : new ParleyError('provider_failed', 'The model gave an empty answer.');
    return new RequestFailure(failure, false);
  }
}

function isCut({ finishReason, rawFinishReason }: Finish): boolean {
  return ['error', 'interrupted'].includes(finishReason) || (finishReason === 'other' && !rawFinishReason);
}

/** Why an answer was aborted, as it is recorded. */
function reasonOf(signal: AbortSignal): Reason {
  return signal.reason instanceof ParleyError ? signal.reason.reason : 'interrupted';
}

function elementOf({ base64, mediaType }: GeneratedFile): MessageElement {
  const data = `data:${mediaType};base64,${base64}`;
  if (mediaType.startsWith('image/')) return { type: 'Image', base64: data };
  const ending = /^[\w-]+\/([\w-]+)$/.exec(mediaType)?.[1] ?? 'bin';
  return { type: 'File', name: `file.${ending === 'plain' ? 'txt' : ending}`, base64: data };
}

/** Loaded at the first answer, because it is large. */
async function loadSdk() {
  const sdk = await import('ai');
  // Notes on settings that a model does not know would go to the process's error output, past the log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return sdk;
}
