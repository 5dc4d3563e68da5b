import { ReadableStream } from 'node:stream/web';
import {
  InvalidResponseDataError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
  type SharedV4Warning,
} from '@ai-sdk/provider';
import type { LanguageModel } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import { newUuid } from '../../lib/uuid.ts';
import { callOllama, faultWithin, jsonOf, linesOf, type OllamaConnection } from './ollama-call.ts';
import { toOllamaMessages } from './prompt.ts';

const ToolCall = Type.Object({
  function: Type.Object({ name: Type.String(), arguments: Type.Optional(Type.Unknown()) }),
});
/** A chunk of an answer, or all of it. Other fields are ignored. */
const Piece = Type.Object({
  message: Type.Optional(
    Type.Object({
      content: Type.Optional(Type.String()),
      thinking: Type.Optional(Type.String()),
      tool_calls: Type.Optional(Type.Union([Type.Array(ToolCall), Type.Null()])),
    }),
  ),
  done: Type.Optional(Type.Boolean()),
  done_reason: Type.Optional(Type.String()),
  prompt_eval_count: Type.Optional(Type.Number()),
  eval_count: Type.Optional(Type.Number()),
});
type Piece = Static<typeof Piece>;

/** @see https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion */
export function createChatModel(connection: OllamaConnection): LanguageModel {
  const ask = (options: LanguageModelV4CallOptions, stream: boolean) => {
    const { body, warnings } = requestOf(connection.model_name, options, stream);
    return { warnings, answer: callOllama(connection, '/api/chat', body, ['messages', 'stream'], options) };
  };
  return {
    specificationVersion: 'v4',
    provider: 'ollama.chat',
    modelId: connection.model_name,
    supportedUrls: {},
    async doGenerate(options) {
      const { warnings, answer } = ask(options, false);
      const piece = pieceOf(jsonOf(await (await answer).text()));
      const { content = '', thinking = '' } = piece.message ?? {};
      const parts: LanguageModelV4Content[] = [
        ...(thinking === '' ? [] : [{ type: 'reasoning' as const, text: thinking }]),
        ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
        ...toolCallsOf(piece),
      ];
      const calls = parts.some(({ type }) => type === 'tool-call');
      return { content: parts, finishReason: finishReasonOf(piece, calls), usage: usageOf(piece), warnings };
    },
    async doStream(options) {
      const { warnings, answer } = ask(options, true);
      const stream = ReadableStream.from(partsOf(await answer, warnings));
      // The same class, declared twice: by Node's types, which know `from`, and by the browser's.
      return { stream: stream as globalThis.ReadableStream<LanguageModelV4StreamPart> };
    },
  };
}

async function* partsOf(response: Response, warnings: SharedV4Warning[]): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings };
  let open: 'text' | 'reasoning' | null = null;
  let block = 0;
  let calls = false;
  let last: Piece | undefined;
  for await (const line of linesOf(response)) {
    const piece = pieceOf(line);
    const { content = '', thinking = '' } = piece.message ?? {};
    for (const [type, delta] of [
      ['reasoning', thinking],
      ['text', content],
    ] as const) {
      if (delta === '') continue;
      if (open !== type) {
        if (open !== null) yield { type: `${open}-end`, id: String(block) };
        block += 1;
        open = type;
        yield { type: `${type}-start`, id: String(block) };
      }
      yield { type: `${type}-delta`, id: String(block), delta };
    }
    for (const call of toolCallsOf(piece)) {
      calls = true;
      yield call;
    }
    if (piece.done === true) last = piece;
  }
  if (open !== null) yield { type: `${open}-end`, id: String(block) };
  const finished = last ?? {};
  const finishReason: LanguageModelV4FinishReason =
    last === undefined ? { unified: 'other', raw: undefined } : finishReasonOf(finished, calls);
  yield { type: 'finish', finishReason, usage: usageOf(finished) };
}

/** @throws APICallError for an error in place of an answer */
function pieceOf(line: unknown): Piece {
  const fault = (line as { error?: unknown } | null)?.error;
  if (typeof fault === 'string') throw faultWithin(fault);
  if (Check(Piece, line)) return line;
  throw new InvalidResponseDataError({ data: undefined, message: 'The answer is not one of Ollama' });
}

/** Ollama assigns no ids to calls, and matches results by tool name. */
function toolCallsOf({ message }: Piece) {
  return (message?.tool_calls ?? []).map(({ function: called }) => ({
    type: 'tool-call' as const,
    toolCallId: newUuid(),
    toolName: called.name,
    input: typeof called.arguments === 'string' ? called.arguments : JSON.stringify(called.arguments ?? {}),
  }));
}

function finishReasonOf({ done_reason: raw }: Piece, calls: boolean): LanguageModelV4FinishReason {
  if (calls) return { unified: 'tool-calls', raw };
  return { unified: raw === 'length' ? 'length' : 'stop', raw: raw ?? 'stop' };
}

function usageOf({ prompt_eval_count: input, eval_count: output }: Piece): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}

function requestOf(model: string, options: LanguageModelV4CallOptions, stream: boolean) {
  const { tools = [], toolChoice, responseFormat } = options;
  const functions = toolChoice?.type === 'none' ? [] : tools.filter((tool) => tool.type === 'function');
  const settings = Object.entries({
    num_predict: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    presence_penalty: options.presencePenalty,
    frequency_penalty: options.frequencyPenalty,
    seed: options.seed,
    stop: options.stopSequences,
  }).filter(([, value]) => value !== undefined);
  const warnings: SharedV4Warning[] = [];
  if (functions.length < tools.length && toolChoice?.type !== 'none') {
    warnings.push({ type: 'unsupported', feature: 'tools that a provider carries out' });
  }
  if (toolChoice?.type === 'required' || toolChoice?.type === 'tool') {
    warnings.push({ type: 'unsupported', feature: 'a choice of tools' });
  }
  const body = {
    model,
    messages: toOllamaMessages(options.prompt),
    stream,
    ...(functions.length > 0 && {
      tools: functions.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, ...(description === undefined ? {} : { description }), parameters: inputSchema },
      })),
    }),
    ...(settings.length > 0 && { options: Object.fromEntries(settings) }),
    ...(responseFormat?.type === 'json' && { format: responseFormat.schema ?? 'json' }),
  };
  return { body, warnings };
}
