import Type, { type Static } from 'typebox';
import { Count, nullable, Timestamp, Uuid } from '../../lib/schema-parts.ts';

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

const Part = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1 }), description);

/** Means over all questions, from 0 to 1. Null without any value. */
export const EvaluationFigures = Type.Object(
  {
    questions: Type.Integer({ minimum: 0, description: 'Number of evaluated questions, without those that failed.' }),
    hit_at_1: Part('For how many questions the first passage is an expected one.'),
    hit_at_5: Part('For how many one of the first five is.'),
    hit_at_10: Part('For how many one of the first ten is.'),
    ndcg_at_10: Part('How good the order of the first ten is.'),
    mrr: Part('Mean of 1 divided by the rank of the first expected passage, 0 where none is among the first ten.'),
    citation_precision: Part('Of the citations in answers, how many name an expected passage; null without answers.'),
  },
  { title: 'EvaluationFigures', description: 'Means from 0 to 1; null if no question counts.' },
);
export type EvaluationFigures = Static<typeof EvaluationFigures>;

/** How one question went. */
export const QuestionResult = Type.Object(
  {
    question_uuid: Uuid,
    question: Type.String(),
    rank: nullable(
      Type.Integer({ minimum: 1, maximum: 10 }),
      'Of the first expected passage; null when none of the first ten is one.',
    ),
    ndcg_at_10: Type.Number({ minimum: 0, maximum: 1 }),
    milliseconds: Count,
    found: Type.Array(
      Type.Object({
        document_uuid: nullable(Type.String()),
        file_name: nullable(Type.String()),
        page: nullable(Type.Integer({ minimum: 1 })),
        is_expected: Type.Boolean(),
      }),
      { description: 'The first ten passages.' },
    ),
    answer: nullable(
      Type.Object({
        text: Type.String({ description: 'At most its first 2000 characters.' }),
        citations: Count,
        right_citations: Count,
        dropped_citations: Count,
      }),
      'Null when no model was asked.',
    ),
    error: nullable(Type.String(), 'Why it is not counted: the search failed, or its documents were deleted.'),
  },
  { title: 'QuestionResult' },
);
export type QuestionResult = Static<typeof QuestionResult>;

const summary = {
  uuid: Uuid,
  knowledge_base_uuid: Uuid,
  collection_id: Type.String(),
  state: Type.Enum(['running', 'finished', 'failed', 'cancelled']),
  asked_by: Type.Enum(['request', 'rebuild', 'reindex'], {
    description: 'Requested by a user, a new collection was complete, or a document was re-indexed.',
  }),
  model_uuid: nullable(Uuid, 'The model that answered.'),
  figures: nullable(EvaluationFigures),
  error: nullable(Type.String()),
  created_at: Timestamp,
  finished_at: nullable(Timestamp),
};

export const EvaluationSummary = Type.Object(summary, { title: 'EvaluationSummary' });
/** A run of all golden questions of a base on one of its collections. */
export const Evaluation = Type.Object({ ...summary, results: Type.Array(QuestionResult) }, { title: 'Evaluation' });
export type Evaluation = Static<typeof Evaluation>;
