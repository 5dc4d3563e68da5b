import { type OpenedModel, ParleyError, type RunnerDelta } from '@parley/sdk';
import type { PromptMessage } from './config.ts';

export interface StreamAnswerOptions {
  signal: AbortSignal;
  /** Longest silence before the first word and between two, milliseconds. */
  silenceTimeoutMs: number;
  maxRetries: number;
}

/** Asks one model. Fails with whatever the AI SDK reports, or with a ParleyError when there was no whole answer. */
export async function* streamAnswer(
  { uuid, model }: OpenedModel,
  messages: PromptMessage[],
  { signal, silenceTimeoutMs, maxRetries }: StreamAnswerOptions,
): AsyncGenerator<RunnerDelta> {
  const { streamText } = await loadSdk();
  // Stops the model when it falls silent (the SDK's own limit only begins with the response's headers) and when the
  // reader leaves half-way, where the SDK would let it talk to its end.
  const stop = new AbortController();
  let silence: NodeJS.Timeout | undefined;
  const awaitNext = () => {
    silence = setTimeout(() => stop.abort(), silenceTimeoutMs);
  };

  const result = streamText({
    model,
    messages,
    // The prompt is an operator's; what people write only ever becomes user messages.
    allowSystemInMessages: true,
    abortSignal: AbortSignal.any([signal, stop.signal]),
    maxRetries,
    telemetry: { isEnabled: false },
    // The same error comes as a part of the stream; without this it is printed as well.
    onError: () => undefined,
  });

  let isEmpty = true;
  try {
    awaitNext();
    for await (const part of result.stream) {
      clearTimeout(silence);
      signal.throwIfAborted();
      switch (part.type) {
        case 'text-delta':
          if (part.text === '') break;
          isEmpty &&= part.text.trim() === '';
          yield { type: 'text', text: part.text };
          break;
        case 'reasoning-delta':
          if (part.text !== '') yield { type: 'reasoning', text: part.text };
          break;
        case 'finish': {
          const { inputTokens = 0, outputTokens = 0 } = part.totalUsage;
          yield { type: 'usage', model_uuid: uuid, input_tokens: inputTokens, output_tokens: outputTokens };
          assertWhole(part.finishReason, part.rawFinishReason, isEmpty);
          break;
        }
        case 'abort':
          throw new ParleyError('provider_timeout', 'The model provider did not answer in time.');
        case 'error':
          throw part.error;
      }
      awaitNext();
    }
  } finally {
    clearTimeout(silence);
    stop.abort();
  }
}

function assertWhole(finishReason: string, rawFinishReason: string | undefined, isEmpty: boolean): void {
  const isCut = ['error', 'interrupted'].includes(finishReason) || (finishReason === 'other' && !rawFinishReason);
  if (isCut) throw new ParleyError('provider_failed', 'The answer of the model provider broke off.');
  if (!isEmpty) return;
  const withheld = finishReason === 'content-filter';
  throw new ParleyError(
    'provider_failed',
    withheld ? "The provider's content filter withheld the answer." : 'The model gave an empty answer.',
  );
}

/** Loaded at the first answer, because it is large. */
async function loadSdk() {
  const sdk = await import('ai');
  // Notes on settings that a model does not know would go to the process's error output, past the log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return sdk;
}
