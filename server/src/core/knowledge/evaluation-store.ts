import type { Evaluation } from './golden-question.ts';
import type { RecordPage } from './record-page.ts';

/** An evaluation in a list: without how each question went. */
export type EvaluationSummary = Omit<Evaluation, 'results'>;

export interface EvaluationStore {
  /** Those of a base, the newest first. */
  list(baseUuid: string, page?: RecordPage): Promise<EvaluationSummary[]>;
  byUuid(baseUuid: string, uuid: string): Promise<Evaluation | null>;
  /**
   * Stores a new evaluation, which this replica works on, and removes the oldest ended ones of its base, except those that a collection names.
   * @param keep maximum per base, including the new one
   * @returns false when there is no such base
   */
  create(evaluation: Evaluation, keep: number): Promise<boolean>;
  /**
   * Ends an evaluation that this replica created.
   * @returns false when it is gone, or was ended by another replica that has taken over
   */
  end(evaluation: Evaluation): Promise<boolean>;
  /** Ends running evaluations that no living replica works on. */
  recover(): Promise<void>;
}
