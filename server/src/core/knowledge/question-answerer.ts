import type { Citation } from '@parley/sdk';

/** What a model answered to a golden question. */
export interface QuestionAnswer {
  text: string;
  citations: Citation[];
  /** Citations that were taken out of the answer, since they name nothing that was found. */
  dropped: number;
  /** Texts of the passages that the model was shown, by their chunks' ids. */
  passages: ReadonlyMap<string, string>;
}

/**
 * Lets a model answer a question from what a collection of a base holds, as a pipeline with the built-in agent would.
 * @throws ParleyError why it could not, or the signal's reason when it is aborted
 */
export type AnswerQuestion = (
  baseUuid: string,
  collectionId: string,
  modelUuid: string,
  question: string,
  signal: AbortSignal,
) => Promise<QuestionAnswer>;
