import { type Logger, ParleyError, problems, type RetrievedPassage } from '@parley/sdk';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import type { ExpectedPassage, GoldenQuestion, QuestionResult } from './golden-question.ts';
import type { AnswerQuestion, QuestionAnswer } from './question-answerer.ts';
import { type CitationFigures, countedPlaces, isExpected, meanFigures, rankingFigures } from './ranking-figures.ts';
import type { RetrievalService } from './retrieval-service.ts';

/** A question with those of its documents that are there. */
export interface EvaluatedQuestion extends Pick<GoldenQuestion, 'uuid' | 'question'> {
  /** Empty when none is there any more. */
  expected: readonly ExpectedPassage[];
}

/** The questions and how they are evaluated. */
export interface EvaluationPlan {
  knowledge_base_uuid: string;
  collection_id: string;
  /** Null when no model answers. */
  model_uuid: string | null;
  /** Of the base. */
  retrieval_settings: Readonly<Record<string, unknown>>;
}

export interface EvaluationTools {
  retrieval: Pick<RetrievalService, 'retrieve'>;
  answer: AnswerQuestion;
  logger: Logger;
}

const nothingExpected = problems.conflict.nothing_expected;
/** Questions that are evaluated at the same time. */
const atOnce = 4;
/** Longest stored answer, characters. */
const longestAnswer = 2000;

/**
 * Evaluates questions. A failure of one does not affect the others.
 * @param progress called after each
 * @returns the results in the order of the questions
 * @throws the signal's reason when it is aborted
 */
export async function askQuestions(
  plan: EvaluationPlan,
  questions: readonly EvaluatedQuestion[],
  tools: EvaluationTools,
  { signal, progress }: { signal: AbortSignal; progress?: (done: number) => void },
): Promise<QuestionResult[]> {
  const turns = new ConcurrencyLimit(atOnce);
  let done = 0;
  const results = await Promise.allSettled(
    questions.map((question) =>
      turns.run(async () => {
        signal.throwIfAborted();
        const result = await ask(plan, question, tools, signal);
        done += 1;
        progress?.(done);
        return result;
      }),
    ),
  );
  signal.throwIfAborted();
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** The mean figures of the questions without an error. */
export function figuresOf(results: readonly QuestionResult[]) {
  const evaluated = results.filter(({ error }) => error === null);
  const answers = evaluated.flatMap(({ answer }): CitationFigures[] => (answer === null ? [] : [answer]));
  return meanFigures(evaluated, answers);
}

async function ask(
  plan: EvaluationPlan,
  { uuid, question, expected }: EvaluatedQuestion,
  { retrieval, answer, logger }: EvaluationTools,
  signal: AbortSignal,
): Promise<QuestionResult> {
  const nothing = { rank: null, ndcg_at_10: 0, milliseconds: 0, found: [], answer: null };
  const result = { ...nothing, question_uuid: uuid, question, error: null };
  if (expected.length === 0) return { ...result, error: nothingExpected };
  const startedAt = performance.now();
  try {
    const passages = await retrieval.retrieve(plan.knowledge_base_uuid, question, {
      retrieval_settings: { top_k: Math.max(countedPlaces, Number(plan.retrieval_settings.top_k) || 0) },
      collection_id: plan.collection_id,
      signal,
    });
    const milliseconds = Math.round(performance.now() - startedAt);
    const found = passages.map((passage) => ({
      document_uuid: passage.source?.document_id ?? null,
      text: passage.text,
    }));
    const { is_expected, ...figures } = rankingFigures(found, expected);
    return {
      ...result,
      ...figures,
      milliseconds,
      found: passages.slice(0, countedPlaces).map((passage, index) => shown(passage, is_expected[index] === true)),
      answer:
        plan.model_uuid === null
          ? null
          : judged(
              await answer(plan.knowledge_base_uuid, plan.collection_id, plan.model_uuid, question, signal),
              expected,
            ),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ParleyError) return { ...result, error: error.message };
    logger.error({ error, question: uuid }, 'failed to evaluate a golden question');
    return { ...result, error: 'An unexpected fault' };
  }
}

function shown({ source }: RetrievedPassage, isOneExpected: boolean): QuestionResult['found'][number] {
  return {
    document_uuid: source?.document_id ?? null,
    file_name: source?.file_name ?? null,
    page: source?.page ?? null,
    is_expected: isOneExpected,
  };
}

/** A citation is right when the passage that it names is an expected one. */
function judged(answer: QuestionAnswer, expected: readonly ExpectedPassage[]): QuestionResult['answer'] {
  const right = answer.citations.filter(({ chunk_id, source, quote }) =>
    isExpected(
      { document_uuid: source?.document_id ?? null, text: answer.passages.get(chunk_id) ?? quote ?? '' },
      expected,
    ),
  );
  return {
    text: [...answer.text].slice(0, longestAnswer).join(''),
    citations: answer.citations.length,
    right_citations: right.length,
    dropped_citations: answer.dropped,
  };
}
