import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Documents, questions, and which documents answer which question. */
export interface RetrievalCollection {
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  /** Grades by document by query; above 0 where relevant. */
  grades: Map<string, Map<string, number>>;
}

/**
 * Reads `documents.jsonl` (`id`, `title`, `text`), `queries.jsonl` (`id`, `text`) and `qrels.tsv` (`query_id`,
 * `document_id`, `grade`, with a head).
 */
export async function readCollection(folder: string): Promise<RetrievalCollection> {
  const [documents, queries, judged] = await Promise.all(
    ['documents.jsonl', 'queries.jsonl', 'qrels.tsv'].map((name) => readLines(join(folder, name))),
  );
  const grades = new Map<string, Map<string, number>>();
  for (const line of (judged ?? []).slice(1)) {
    const [query = '', document = '', grade] = line.split('\t');
    if (!Number.isFinite(Number(grade))) throw new Error(`qrels.tsv has a line without a grade: ${line}`);
    const ofQuery = grades.get(query) ?? new Map<string, number>();
    grades.set(query, ofQuery.set(document, Number(grade)));
  }
  return {
    documents: (documents ?? []).map((line) => ({ title: '', ...JSON.parse(line) })),
    queries: (queries ?? []).map((line) => JSON.parse(line)),
    grades,
  };
}

async function readLines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Means over queries, from 0 to 1. */
export interface RankingFigures {
  queries: number;
  ndcg_at_10: number;
  hit_at_1: number;
  hit_at_5: number;
  mrr: number;
}

/**
 * How well rankings fit the grades: gain 2^grade - 1, discount log2(rank + 1), the ideal ranking cut at 10. Written
 * apart from the product's own figures, so that one checks the other.
 * @param rankings ids of documents, best first, by query
 */
export function rankingFigures(
  rankings: ReadonlyMap<string, readonly string[]>,
  grades: RetrievalCollection['grades'],
): RankingFigures {
  const sums = { ndcg_at_10: 0, hit_at_1: 0, hit_at_5: 0, mrr: 0 };
  for (const [query, ranking] of rankings) {
    const ofQuery = grades.get(query) ?? new Map<string, number>();
    const gained = gains(ranking.map((document) => ofQuery.get(document) ?? 0));
    const ideal = gains([...ofQuery.values()].sort((left, right) => right - left));
    const rank = 1 + ranking.findIndex((document) => (ofQuery.get(document) ?? 0) > 0);
    sums.ndcg_at_10 += ideal === 0 ? 0 : gained / ideal;
    sums.hit_at_1 += rank === 1 ? 1 : 0;
    sums.hit_at_5 += rank >= 1 && rank <= 5 ? 1 : 0;
    sums.mrr += rank >= 1 ? 1 / rank : 0;
  }
  const mean = (sum: number) => Number((sum / Math.max(1, rankings.size)).toFixed(4));
  return {
    queries: rankings.size,
    ndcg_at_10: mean(sums.ndcg_at_10),
    hit_at_1: mean(sums.hit_at_1),
    hit_at_5: mean(sums.hit_at_5),
    mrr: mean(sums.mrr),
  };
}

function gains(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}
