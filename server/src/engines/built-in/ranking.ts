import type { RetrievedPassage } from '@parley/sdk';
import type { ChunkHit } from '@parley/sdk/internal';

/** The common constant of reciprocal rank fusion. */
const softening = 60;

/** A chunk that was found, and how. */
export interface RankedChunk {
  id: string;
  /** From 0 to 1. */
  score: number;
  legs: RetrievedPassage['legs'];
}

/**
 * Fuses the results of both searches, best first. Results of only one search keep their order and its scores: cosine
 * similarity, or BM25 relative to the best. Otherwise scores are reciprocal ranks relative to the best possible.
 * @param vectorWeight from 0, keywords only, to 1
 */
export function fused(keyword: readonly ChunkHit[], vector: readonly ChunkHit[], vectorWeight: number): RankedChunk[] {
  const chunks = new Map<string, RankedChunk>();
  const note = (
    leg: 'keyword' | 'vector',
    hits: readonly ChunkHit[],
    scoreOf: (hit: ChunkHit, rank: number) => number,
  ) => {
    for (const [place, hit] of hits.entries()) {
      const chunk = chunks.get(hit.id) ?? { id: hit.id, score: 0, legs: {} };
      chunk.legs[leg] = { rank: place + 1, score: hit.score };
      chunk.score += scoreOf(hit, place + 1);
      chunks.set(hit.id, chunk);
    }
  };
  if (vector.length === 0) {
    const best = keyword[0]?.score ?? 0;
    note('keyword', keyword, ({ score }) => (best > 0 ? between(score / best) : 0));
  } else if (keyword.length === 0) {
    note('vector', vector, ({ score }) => between(score));
  } else {
    const reciprocal = (rank: number) => (softening + 1) / (softening + rank);
    note('keyword', keyword, (_, rank) => (1 - vectorWeight) * reciprocal(rank));
    note('vector', vector, (_, rank) => vectorWeight * reciprocal(rank));
  }
  return [...chunks.values()].sort((left, right) => right.score - left.score || bestRank(left) - bestRank(right));
}

/**
 * Puts the chunks that a rerank model ranked first, and the others after them.
 * @param ranking by the index in `chunks`
 */
export function reranked(
  chunks: readonly RankedChunk[],
  ranking: readonly { index: number; score: number }[],
): RankedChunk[] {
  const areShares = ranking.every(({ score }) => score >= 0 && score <= 1);
  const ordered = ranking.flatMap(({ index, score }, place) => {
    const chunk = chunks[index];
    if (chunk === undefined) return [];
    // Models without normalized scores return unbounded ones, whose middle is 0.
    const share = areShares ? score : 1 / (1 + Math.exp(-score));
    return [{ ...chunk, score: share, legs: { ...chunk.legs, rerank: { rank: place + 1, score } } }];
  });
  const known = new Set(ordered.map(({ id }) => id));
  return [...ordered, ...chunks.filter(({ id }) => !known.has(id)).map((chunk) => ({ ...chunk, score: 0 }))];
}

function bestRank({ legs }: RankedChunk): number {
  return Math.min(legs.keyword?.rank ?? Number.POSITIVE_INFINITY, legs.vector?.rank ?? Number.POSITIVE_INFINITY);
}

function between(score: number): number {
  return Math.min(1, Math.max(0, score));
}
