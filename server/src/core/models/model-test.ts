import Type, { type Static } from 'typebox';
import { UpdateLanguageModel, UpdateModel } from './model.ts';

/** What to test: the whole model when it is not stored; of a stored one, only `extra_args` is taken from here. */
export const TestLanguageModel = UpdateLanguageModel;
export const TestModel = UpdateModel;
export type TestModel = Static<typeof UpdateModel>;

const latency_ms = Type.Integer({ minimum: 0, description: 'Milliseconds until the complete response.' });
const tokens = Type.Union([Type.Integer(), Type.Null()], { description: 'Null when the provider does not count.' });

export const LanguageModelTested = Type.Object({
  latency_ms,
  usage: Type.Object({ input_tokens: tokens, output_tokens: tokens }),
});
export const EmbeddingModelTested = Type.Object({
  latency_ms,
  dimension: Type.Integer({ description: 'Length of the vectors.' }),
});
export const RerankModelTested = Type.Object({ latency_ms });

/** How a test went. */
export type ModelTested = Static<typeof RerankModelTested> &
  Partial<Omit<Static<typeof LanguageModelTested>, 'latency_ms'>> &
  Partial<Omit<Static<typeof EmbeddingModelTested>, 'latency_ms'>>;
