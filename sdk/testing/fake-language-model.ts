import { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { LanguageModel } from '../src/model-requester.ts';

export interface FakeLanguageModelOptions {
  modelId?: string;
  /** The answer, piece by piece. An iterator that never ends makes a model that talks until it is stopped. */
  chunks?: Iterable<string>;
  /** What the model thinks aloud before it answers. */
  reasoning?: string[];
  /** Time before each piece, milliseconds. Default 0. */
  delayMs?: number;
  finishReason?: LanguageModelV4FinishReason['unified'];
  /** Thrown before anything is answered. */
  error?: unknown;
}

/** A model that answers from memory and remembers what it was asked. */
export interface FakeLanguageModel extends LanguageModel {
  calls: LanguageModelV4CallOptions[];
}

/** Makes a language model for tests. It stops when it is told to, and counts pieces as tokens. */
export function fakeLanguageModel(options: FakeLanguageModelOptions = {}): FakeLanguageModel {
  const { chunks = ['Hello', ' there', '.'], reasoning = [], delayMs = 0, finishReason = 'stop' } = options;
  const calls: LanguageModelV4CallOptions[] = [];

  async function* parts(signal: AbortSignal | undefined): AsyncGenerator<LanguageModelV4StreamPart> {
    yield { type: 'stream-start', warnings: [] };
    if (reasoning.length > 0) {
      yield { type: 'reasoning-start', id: 'reasoning' };
      for (const delta of reasoning) yield { type: 'reasoning-delta', id: 'reasoning', delta };
      yield { type: 'reasoning-end', id: 'reasoning' };
    }
    yield { type: 'text-start', id: 'text' };
    let count = 0;
    for (const delta of chunks) {
      await delay(delayMs);
      signal?.throwIfAborted();
      count += 1;
      yield { type: 'text-delta', id: 'text', delta };
    }
    yield { type: 'text-end', id: 'text' };
    yield { type: 'finish', finishReason: { unified: finishReason, raw: finishReason }, usage: usageOf(count) };
  }

  function begin(call: LanguageModelV4CallOptions): void {
    calls.push(call);
    call.abortSignal?.throwIfAborted();
    if (options.error !== undefined) throw options.error;
  }

  return {
    calls,
    specificationVersion: 'v4',
    provider: 'fake',
    modelId: options.modelId ?? 'fake-model',
    supportedUrls: {},
    async doGenerate(call) {
      begin(call);
      const answer = [...chunks];
      return {
        content: [{ type: 'text', text: answer.join('') }],
        finishReason: { unified: finishReason, raw: finishReason },
        usage: usageOf(answer.length),
        warnings: [],
      };
    },
    async doStream(call) {
      begin(call);
      const stream = ReadableStream.from(parts(call.abortSignal));
      return { stream: stream as globalThis.ReadableStream<LanguageModelV4StreamPart> };
    },
  };
}

function usageOf(outputTokens: number) {
  return {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
  };
}
