import { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { LanguageModel } from '../src/model-requester.ts';

export interface FakeAnswer {
  /** The answer, in chunks. An endless iterator makes a model that generates until it is aborted. */
  chunks?: Iterable<string>;
  /** Thoughts of the model before the answer. */
  reasoning?: string[];
  /** Files after the text; `data` is base64. */
  files?: { mediaType: string; data: string }[];
  /** Tools that it calls at last. */
  toolCalls?: { toolName: string; input: unknown }[];
  /** Time before each chunk, milliseconds. Default 0. */
  delayMs?: number;
  /** Default `tool-calls` where it calls tools, else `stop`. */
  finishReason?: LanguageModelV4FinishReason['unified'];
  /** Thrown before anything is answered. */
  error?: unknown;
}

export interface FakeLanguageModelOptions extends FakeAnswer {
  modelId?: string;
  /** Answers to successive calls; the last one is repeated. Default: the same for every call. */
  answers?: FakeAnswer[];
}

/** A model with scripted answers that records its calls. */
export interface FakeLanguageModel extends LanguageModel {
  calls: LanguageModelV4CallOptions[];
}

/** Creates a language model for tests. It can be aborted, and counts chunks as tokens. */
export function fakeLanguageModel(options: FakeLanguageModelOptions = {}): FakeLanguageModel {
  const answers = options.answers ?? [options];
  const calls: LanguageModelV4CallOptions[] = [];

  function begin(call: LanguageModelV4CallOptions): FakeAnswer & { number: number } {
    const number = calls.push(call);
    call.abortSignal?.throwIfAborted();
    const answer = answers[number - 1] ?? answers.at(-1) ?? {};
    if (answer.error !== undefined) throw answer.error;
    return { ...answer, number };
  }

  return {
    calls,
    specificationVersion: 'v4',
    provider: 'fake',
    modelId: options.modelId ?? 'fake-model',
    supportedUrls: {},
    async doGenerate(call) {
      const answer = begin(call);
      const pieces = [...chunksOf(answer)];
      return {
        content: [{ type: 'text', text: pieces.join('') }, ...attached(answer)],
        finishReason: finishReasonOf(answer),
        usage: usageOf(pieces.length),
        warnings: [],
      };
    },
    async doStream(call) {
      const stream = ReadableStream.from(parts(begin(call), call.abortSignal));
      return { stream: stream as globalThis.ReadableStream<LanguageModelV4StreamPart> };
    },
  };
}

async function* parts(
  answer: FakeAnswer & { number: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { reasoning = [], delayMs = 0 } = answer;
  yield { type: 'stream-start', warnings: [] };
  if (reasoning.length > 0) {
    yield { type: 'reasoning-start', id: 'reasoning' };
    for (const delta of reasoning) yield { type: 'reasoning-delta', id: 'reasoning', delta };
    yield { type: 'reasoning-end', id: 'reasoning' };
  }
  yield { type: 'text-start', id: 'text' };
  let count = 0;
  for (const delta of chunksOf(answer)) {
    await delay(delayMs);
    signal?.throwIfAborted();
    count += 1;
    yield { type: 'text-delta', id: 'text', delta };
  }
  yield { type: 'text-end', id: 'text' };
  yield* attached(answer);
  yield { type: 'finish', finishReason: finishReasonOf(answer), usage: usageOf(count) };
}

function chunksOf({ chunks, toolCalls = [], files = [] }: FakeAnswer): Iterable<string> {
  return chunks ?? (toolCalls.length + files.length > 0 ? [] : ['Hello', ' there', '.']);
}

function attached({ files = [], toolCalls = [], number }: FakeAnswer & { number: number }) {
  return [
    ...files.map(({ mediaType, data }) => ({
      type: 'file' as const,
      mediaType,
      data: { type: 'data' as const, data },
    })),
    ...toolCalls.map(({ toolName, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: `call-${number}-${index + 1}`,
      toolName,
      input: JSON.stringify(input),
    })),
  ];
}

function finishReasonOf({ finishReason, toolCalls = [] }: FakeAnswer): LanguageModelV4FinishReason {
  const unified = finishReason ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop');
  return { unified, raw: unified };
}

function usageOf(outputTokens: number) {
  return {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
  };
}
