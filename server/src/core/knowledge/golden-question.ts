/** What should be found for a golden question: a document, or a part of one. */
export interface ExpectedPassage {
  /** Of the document in its knowledge base. */
  document_uuid: string;
  /** Text that a passage must contain to count; null for any passage of the document. */
  quote: string | null;
  /** How relevant it is, from 1; for nDCG. */
  grade: number;
}

/** A question with a known answer, to evaluate a knowledge base. */
export interface GoldenQuestion {
  uuid: string;
  knowledge_base_uuid: string;
  question: string;
  expected: ExpectedPassage[];
  created_at: string;
  updated_at: string;
}

/** Means over all questions, from 0 to 1. Null without any value. */
export interface EvaluationFigures {
  questions: number;
  hit_at_1: number | null;
  hit_at_5: number | null;
  hit_at_10: number | null;
  ndcg_at_10: number | null;
  mrr: number | null;
  /** The share of citations in answers that name an expected passage; null when no model answered. */
  citation_precision: number | null;
}

export type EvaluationState = 'running' | 'finished' | 'failed' | 'cancelled';

/** How one question went. */
export interface QuestionResult {
  question_uuid: string;
  question: string;
  /** Rank of the first expected passage, from 1; null when none of the first ten is one. */
  rank: number | null;
  ndcg_at_10: number;
  milliseconds: number;
  /** The search results, best first. */
  found: {
    /** Null if the engine does not report it, as the next two. */
    document_uuid: string | null;
    file_name: string | null;
    page: number | null;
    is_expected: boolean;
  }[];
  /** Null when no model answered. */
  answer: { text: string; citations: number; right_citations: number; dropped_citations: number } | null;
  /** The error of the evaluation; null on success. */
  error: string | null;
}

/** A run of all golden questions of a base on one of its collections. */
export interface Evaluation {
  uuid: string;
  knowledge_base_uuid: string;
  collection_id: string;
  state: EvaluationState;
  /** `request`: a user started it. `rebuild`: a new collection was complete. `reindex`: a document was re-indexed. */
  asked_by: 'request' | 'rebuild' | 'reindex';
  /** The model that answered; null when none did. */
  model_uuid: string | null;
  figures: EvaluationFigures | null;
  results: QuestionResult[];
  error: string | null;
  created_at: string;
  finished_at: string | null;
}
