import type { EvaluationFigures, ExpectedPassage } from './golden-question.ts';

/** What of a passage that was found matters here. */
export interface FoundPassage {
  /** Null if the engine does not report it. */
  document_uuid: string | null;
  text: string;
}

/** How a ranking did. */
export interface RankingFigures {
  /** Of the first expected passage, from 1; null when none of the first ten is one. */
  rank: number | null;
  /** From 0 to 1. */
  ndcg_at_10: number;
  /** Of each of the first ten: whether it is an expected passage. */
  is_expected: boolean[];
}

/** How many places of a ranking count. */
export const countedPlaces = 10;

/**
 * Compares a ranking with what should be found. Each document counts once: with the passage of it that gains most. The
 * gain is 2^grade - 1, the discount log2(rank + 1), and the ideal has the best passage of each document in order.
 * @param found best first
 * @param expected at least one; several entries of a document are several ways to be right about it
 */
export function rankingFigures(found: readonly FoundPassage[], expected: readonly ExpectedPassage[]): RankingFigures {
  const grades = found.slice(0, countedPlaces).map((passage) => gradeOf(passage, expected));
  const gains = new Map<string | null, number>();
  grades.forEach((grade, index) => {
    const document = found[index]?.document_uuid ?? null;
    gains.set(document, Math.max(gains.get(document) ?? 0, gainOf(grade) / discount(index + 1)));
  });
  const ideal = idealGrades(expected).map((grade, index) => gainOf(grade) / discount(index + 1));
  const first = grades.findIndex((grade) => grade > 0);
  return {
    rank: first < 0 ? null : first + 1,
    ndcg_at_10: Math.min(1, sum([...gains.values()]) / sum(ideal)),
    is_expected: grades.map((grade) => grade > 0),
  };
}

/** Whether a passage, or a citation of it, names what should be found. */
export function isExpected(passage: FoundPassage, expected: readonly ExpectedPassage[]): boolean {
  return gradeOf(passage, expected) > 0;
}

/** How an answer cited. */
export interface CitationFigures {
  citations: number;
  right_citations: number;
}

/** The means over questions without an error. */
export function meanFigures(
  rankings: readonly Pick<RankingFigures, 'rank' | 'ndcg_at_10'>[],
  answers: readonly CitationFigures[],
): EvaluationFigures {
  const mean = (value: (ranking: Pick<RankingFigures, 'rank' | 'ndcg_at_10'>) => number) =>
    rankings.length === 0 ? null : sum(rankings.map(value)) / rankings.length;
  const hitAt = (places: number) => mean(({ rank }) => (rank !== null && rank <= places ? 1 : 0));
  const citations = sum(answers.map((answer) => answer.citations));
  return {
    questions: rankings.length,
    hit_at_1: hitAt(1),
    hit_at_5: hitAt(5),
    hit_at_10: hitAt(countedPlaces),
    ndcg_at_10: mean(({ ndcg_at_10 }) => ndcg_at_10),
    mrr: mean(({ rank }) => (rank === null ? 0 : 1 / rank)),
    citation_precision: citations === 0 ? null : sum(answers.map((answer) => answer.right_citations)) / citations,
  };
}

/** By how much a figure may be lower before it counts as lower; a thousandth is chance. */
const tolerance = 0.005;

/** Whether a collection would be searched with less success than another, by the figures of the same questions. */
export function isLower(figures: EvaluationFigures, than: EvaluationFigures): boolean {
  return (['hit_at_5', 'ndcg_at_10', 'mrr', 'citation_precision'] as const).some((name) => {
    const [here, there] = [figures[name], than[name]];
    return here !== null && there !== null && there - here > tolerance;
  });
}

/** 0 when it is none of the expected ones. */
function gradeOf({ document_uuid, text }: FoundPassage, expected: readonly ExpectedPassage[]): number {
  const ofDocument = expected.filter((entry) => entry.document_uuid === document_uuid);
  const plain = ofDocument.some(({ quote }) => quote !== null) ? comparable(text) : '';
  const holding = ofDocument.filter(({ quote }) => quote === null || plain.includes(comparable(quote)));
  return Math.max(0, ...holding.map(({ grade }) => grade));
}

/** The best grade of each document, best first, as many as count. */
function idealGrades(expected: readonly ExpectedPassage[]): number[] {
  const best = new Map<string, number>();
  for (const { document_uuid, grade } of expected) {
    best.set(document_uuid, Math.max(best.get(document_uuid) ?? 0, grade));
  }
  return [...best.values()].sort((left, right) => right - left).slice(0, countedPlaces);
}

/** The same for texts that differ in spaces, line ends and case only. */
function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

function gainOf(grade: number): number {
  return 2 ** grade - 1;
}

function discount(rank: number): number {
  return Math.log2(rank + 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
