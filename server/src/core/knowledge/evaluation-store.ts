import type { Evaluation } from './golden-question.ts';
import type { RecordPage } from './record-page.ts';

/** An evaluation in a list: without how each question went. */
export type EvaluationSummary = Omit<Evaluation, 'results'>;

export interface EvaluationStore {
  /** Those of a base, the newest first. */
  list(baseUuid: string, page?: RecordPage): Promise<EvaluationSummary[]>;
  byUuid(baseUuid: string, uuid: string): Promise<Evaluation | null>;
  /**
   * Keeps a new one, and removes the oldest of its base that have ended, but for those that a collection names.
   * @param keep how many of a base there may be, the new one included
   * @returns false when there is no such base
   */
  create(evaluation: Evaluation, keep: number): Promise<boolean>;
  /** Nothing happens when it is gone. */
  update(evaluation: Evaluation): Promise<void>;
  /** Ends what was left running. @returns how many there were */
  failRunning(error: string, finishedAt: string): Promise<number>;
}
