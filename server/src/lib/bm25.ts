import { isPair } from './search-terms/search-terms.ts';

/**
 * Keyword ranking of passages: BM25 over weighted fields. The parameters were tuned on the even-numbered queries of the
 * collections that `bench/retrieval.ts` runs, and are reported on the odd ones.
 */
export const bm25 = {
  /** How soon more of the same word stops to count. */
  k1: 1.2,
  /** How much long passages are held back. */
  b: 0.6,
  /** How often a word counts in each field. A heading that is also the title counts for both. */
  weights: { title: 1, headings: 1, body: 1 },
  /** Weight of a pair of characters next to the words that it is part of. */
  pairWeight: 0.7,
} as const;

/** Occurrences of a term, or any term, in the fields of a passage. */
export interface FieldCounts {
  title: number;
  headings: number;
  body: number;
}

/** Counts of all fields as one number; also the length of a passage, from the numbers of terms in its fields. */
export function weighted({ title, headings, body }: FieldCounts): number {
  const { weights } = bm25;
  return weights.title * title + weights.headings * headings + weights.body * body;
}

/**
 * Weight of a query term.
 * @param passages how many there are
 * @param holding how many of them contain the term
 */
export function termWeight(term: string, passages: number, holding: number): number {
  const rarity = Math.log(1 + Math.max(0, passages - holding + 0.5) / (holding + 0.5));
  return isPair(term) ? rarity * bm25.pairWeight : rarity;
}

/**
 * Contribution of a term to the score of a passage that contains it.
 * @param weight of {@link termWeight}
 * @param frequency of the term in the passage, {@link weighted}
 * @param length of the passage, {@link weighted}
 * @param averageLength of all passages; above 0
 */
export function termScore(weight: number, frequency: number, length: number, averageLength: number): number {
  const { k1, b } = bm25;
  return (weight * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / averageLength));
}

/** The most that a term can add to a score. */
export function highestTermScore(weight: number): number {
  return weight * (bm25.k1 + 1);
}
