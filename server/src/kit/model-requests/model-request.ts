import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import {
  type CallFailure,
  callFailureOf,
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
import { now } from '../../lib/clock.ts';
import { inTime, untilAborted } from '../../lib/waiting.ts';
import { type AssistantContent, AssistantMessage } from './assistant-message.ts';
import { ModelStream, timeout } from './model-stream.ts';
import { streamError } from './stream-error.ts';

/** Time for the rest of a stream, mainly its token usage, after an error, milliseconds. */
const patienceAfterError = 1000;
/** White space buffered before the first word, characters: some models generate it without end. */
const longestLeading = 1000;

/** Tools that a model may call, by name. */
export type OfferedTools = ReadonlyMap<string, LanguageModelV4FunctionTool>;

export interface ModelRequestOptions {
  messages: LanguageModelV4Prompt;
  /** Beside those of the model. */
  settings?: { maxOutputTokens?: number; temperature?: number };
  /** Null when the model must answer without. */
  tools: OfferedTools | null;
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

/** A tool that a model wants to be called. */
export interface WantedCall {
  id: string;
  name: string;
  /** Arguments from the model; a string if not valid JSON. */
  input: unknown;
}

/** Results of a model call other than streamed text. */
export interface ModelAnswer {
  text: string;
  /** Everything that it said, to be sent back with the results of its calls. */
  said: AssistantContent;
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
    request.end(options.note, null, null);
    return answer;
  } catch (error) {
    if (options.signal.aborted) {
      request.end(reasonOf(options.signal), 'The answer was given up.', null);
      throw options.signal.reason;
    }
    const failure = error instanceof RequestFailure ? error : new RequestFailure(providerError(error), mayPass(error));
    request.end(failure.failure.reason, failure.message, callFailureOf(failure.failure));
    throw failure;
  } finally {
    // The reader stopped early.
    request.end('interrupted', 'The answer was given up.', null);
  }
}

type Part = LanguageModelV4StreamPart;
type FilePart = Part & { type: 'file' | 'reasoning-file' };
type Finish = Part & { type: 'finish' };

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
  #hasOutput = false;
  readonly #said = new AssistantMessage();
  readonly #calls: WantedCall[] = [];

  constructor(opened: OpenedModel, options: ModelRequestOptions) {
    this.#opened = opened;
    this.#options = options;
  }

  async *run(): AsyncGenerator<RunnerDelta, ModelAnswer> {
    const { messages, tools, signal, silenceTimeoutMs } = this.#options;
    const offered = tools === null ? {} : { tools: [...tools.values()] };
    const stream = new ModelStream(
      this.#opened.model,
      { prompt: messages, toolChoice: { type: 'auto' }, ...offered, ...this.#options.settings },
      signal,
    );
    let failed: { error: unknown } | null = null;
    let finish: Finish | null = null;
    try {
      for (;;) {
        const patience = failed === null ? silenceTimeoutMs : Math.min(silenceTimeoutMs, patienceAfterError);
        const part = await stream.next(patience);
        if (part === null) break;
        if (part.type === 'finish') {
          const { inputTokens, outputTokens } = part.usage;
          this.#usage = { input_tokens: inputTokens.total ?? 0, output_tokens: outputTokens.total ?? 0 };
          finish = part;
        }
        if (failed !== null) continue;
        this.#hasOutput ||= isOutput(part);
        if (part.type === 'error') {
          failed = { error: streamError(part.error) };
          continue;
        }
        const delta = isFile(part) ? await this.#fileDelta(part) : this.#deltaOf(part);
        if (delta !== null) yield delta;
        if (!this.#said.addToBlock(part))
          failed = { error: new Error('The model continued a block it had not started') };
      }
    } catch (error) {
      if (failed === null || signal.aborted) throw error;
    } finally {
      stream.close();
    }
    if (failed !== null) throw failed.error;
    const calls = this.#wholeCalls(finish);
    return { text: this.#text, said: this.#said.content, calls };
  }

  /** The delta for a part of the stream; null if none. */
  #deltaOf(part: Exclude<Part, FilePart>): RunnerDelta | null {
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? null : this.#textDelta(part.delta);
      case 'reasoning-delta':
        if (part.delta === '') return null;
        this.#piece();
        return { type: 'reasoning', text: part.delta };
      case 'tool-input-start':
        this.#piece();
        return null;
      case 'tool-call':
        this.#piece();
        this.#addCall(part);
        return null;
      case 'tool-result':
        this.#said.addResult(part);
        return null;
      case 'custom':
        this.#said.addCustom(part);
        return null;
      default:
        return null;
    }
  }

  #addCall(part: Part & { type: 'tool-call' }): void {
    const { toolCallId: id, toolName: name } = part;
    const input = this.#said.addCall(part, this.#options.tools?.has(name) ?? false);
    if (!part.providerExecuted) this.#calls.push({ id, name, input: input.value });
  }

  /** Files of thoughts are only sent back. */
  async #fileDelta(part: FilePart): Promise<RunnerDelta | null> {
    const base64 = await this.#base64Of(part);
    this.#said.addFile(part, base64);
    if (part.type === 'reasoning-file') return null;
    this.#piece();
    this.#hasFiles = true;
    return { type: 'attachment', element: elementOf(base64, part.mediaType) };
  }

  async #base64Of({ data }: FilePart): Promise<string> {
    if (data.type === 'data')
      return typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
    const { readMedia, signal, silenceTimeoutMs } = this.#options;
    const tooLate = (): never => {
      throw timeout();
    };
    // A URL of a generated file must not make the server send requests of its own.
    const read = inTime(readMedia({ type: 'File', url: data.url.href }), silenceTimeoutMs, tooLate);
    return Buffer.from((await untilAborted(read, signal)).bytes).toString('base64');
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
    if (finish === null && !this.#hasOutput) {
      throw new RequestFailure(new ParleyError('provider_failed', 'The model provider sent an empty stream.'), false);
    }
    if (finish === null || isCut(finish)) {
      const hint = { code: 'broken_connection', parameters: {} } as const;
      const failure = new ParleyError('provider_failed', 'The answer of the model provider broke off.', { hint });
      throw new RequestFailure(failure, true);
    }
    const { tools, mayBeEmpty } = this.#options;
    const calls = tools === null ? [] : this.#calls;
    if (this.#text === '' && !this.#hasFiles && calls.length === 0 && !mayBeEmpty)
      throw this.#empty(finish.finishReason.unified);
    return calls;
  }

  /** Records the request; only the first word about how it ended counts. */
  end(reason: Reason | null, error: string | null, failure: CallFailure | null): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    const request = this.#opened.takeRequest?.() ?? null;
    this.#options.record({
      model_uuid: this.#opened.uuid,
      model_name: this.#opened.name,
      started_at: this.#startedAt,
      milliseconds: this.#elapsed(),
      first_piece_milliseconds: this.#firstPiece,
      ...this.#usage,
      reason,
      error,
      ...(failure === null ? {} : { failure }),
      ...(request === null ? {} : { request }),
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

function isFile(part: Part): part is FilePart {
  return part.type === 'file' || part.type === 'reasoning-file';
}

function isOutput(part: Part): boolean {
  return 'delta' in part ? part.delta !== '' : isFile(part) || part.type === 'tool-call';
}

function isCut({ finishReason: { unified, raw } }: Finish): boolean {
  return ['error', 'interrupted'].includes(unified) || (unified === 'other' && !raw);
}

/** Why an answer was aborted, as it is recorded. */
function reasonOf(signal: AbortSignal): Reason {
  return signal.reason instanceof ParleyError ? signal.reason.reason : 'interrupted';
}

function elementOf(base64: string, mediaType: string): MessageElement {
  const data = `data:${mediaType};base64,${base64}`;
  if (mediaType.startsWith('image/')) return { type: 'Image', base64: data };
  const ending = /^[\w-]+\/([\w-]+)$/.exec(mediaType)?.[1] ?? 'bin';
  return { type: 'File', name: `file.${ending === 'plain' ? 'txt' : ending}`, base64: data };
}
