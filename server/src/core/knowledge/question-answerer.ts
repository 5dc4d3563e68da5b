import type { Citation } from '@parley/sdk';

/** The answer of a model to a golden question. */
export interface QuestionAnswer {
  text: string;
  citations: Citation[];
  /** Citations removed from the answer because they name no passage. */
  dropped: number;
  /** Texts of the passages that the model was shown, by their chunks' ids. */
  passages: ReadonlyMap<string, string>;
}

/**
 * Lets a model answer a question from a collection, as a pipeline with the built-in agent would.
 * @throws ParleyError why it failed, or the signal's reason when it is aborted
 */
export type AnswerQuestion = (
  baseUuid: string,
  collectionId: string,
  modelUuid: string,
  question: string,
  signal: AbortSignal,
) => Promise<QuestionAnswer>;
