import type { Evaluation } from './golden-question.ts';
import type { RecordPage } from './record-page.ts';

/** An evaluation in a list: without how each question went. */
export type EvaluationSummary = Omit<Evaluation, 'results'>;

export interface EvaluationStore {
  /** Those of a base, the newest first. */
  list(baseUuid: string, page?: RecordPage): Promise<EvaluationSummary[]>;
  byUuid(baseUuid: string, uuid: string): Promise<Evaluation | null>;
  /**
   * Stores a new evaluation, and removes the oldest ended ones of its base, except those that a collection names.
   * @param keep maximum per base, including the new one
   * @returns false when there is no such base
   */
  create(evaluation: Evaluation, keep: number): Promise<boolean>;
  /** A no-op when it is gone. */
  update(evaluation: Evaluation): Promise<void>;
  /** Ends evaluations that were left running. @returns how many there were */
  failRunning(error: string, finishedAt: string): Promise<number>;
}
