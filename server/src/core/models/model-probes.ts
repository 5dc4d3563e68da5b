import {
  type LanguageModel,
  type ModelConnection,
  type ModelKind,
  type ModelRequester,
  ParleyError,
  problemError,
} from '@parley/sdk';
import type { ModelTested } from './model-test.ts';

type Answer = Omit<ModelTested, 'latency_ms'> & {
  /** Tokens that an embedding model counted; they are recorded, not answered. */
  embeddedTokens?: number;
};
type ModelProbe = (requester: ModelRequester, connection: ModelConnection, signal: AbortSignal) => Promise<Answer>;

/** The smallest call of each kind of model. They fail with whatever the requester throws. */
export const modelProbes: Record<ModelKind, ModelProbe> = {
  llm: async (requester, connection, signal) =>
    askForHello(opened(await requester.languageModel?.(connection)), signal),
  'text-embedding': async (requester, connection, abortSignal) => {
    const model = opened(await requester.embeddingModel?.(connection));
    const { embeddings, usage } = await model.doEmbed({ values: ['Hello'], abortSignal });
    const dimension = embeddings[0]?.length ?? 0;
    if (dimension === 0) throw new ParleyError('provider_failed', 'The model gave no vector.');
    return { dimension, embeddedTokens: usage?.tokens ?? 0 };
  },
  rerank: async (requester, connection, abortSignal) => {
    const model = opened(await requester.rerankingModel?.(connection));
    const values = ['Paris is the capital of France.', 'Bread is made of flour and water.'];
    const documents = { type: 'text' as const, values };
    const { ranking } = await model.doRerank({ query: 'What is the capital of France?', documents, abortSignal });
    if (ranking.length === 0) throw new ParleyError('provider_failed', 'The model ranked nothing.');
    return {};
  },
};

/** Streamed, as answers are later; some models support nothing else. */
async function askForHello(model: LanguageModel, abortSignal: AbortSignal): Promise<Answer> {
  const content = [{ type: 'text' as const, text: 'Say hello in one word.' }];
  const { stream } = await model.doStream({ prompt: [{ role: 'user', content }], abortSignal });
  const reader = stream.getReader();
  let isEmpty = true;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value;
      abortSignal.throwIfAborted();
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') isEmpty &&= part.delta.trim() === '';
      if (part.type !== 'finish') continue;
      const { unified, raw } = part.finishReason;
      if (unified === 'error' || (unified === 'other' && raw === undefined)) break;
      if (isEmpty) throw new ParleyError('provider_failed', 'The model gave an empty answer.');
      const { inputTokens, outputTokens } = part.usage;
      return { usage: { input_tokens: inputTokens.total ?? null, output_tokens: outputTokens.total ?? null } };
    }
  } finally {
    // A stream that failed cannot be cancelled.
    await reader.cancel().catch(() => undefined);
  }
  throw new ParleyError('provider_failed', 'The answer of the model provider broke off.');
}

function opened<Model>(model: Model | undefined): Model {
  if (model !== undefined) return model;
  // The requester may have changed since the model was stored.
  throw problemError('models_not_opened');
}
