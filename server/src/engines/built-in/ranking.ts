import type { ChunkHit, RetrievedPassage } from '@parley/sdk';

/** Softens the first ranks, as it is usual in reciprocal rank fusion. */
const softening = 60;

/** A chunk that was found, and how. */
export interface RankedChunk {
  id: string;
  /** From 0 to 1. */
  score: number;
  legs: RetrievedPassage['legs'];
}

/**
 * Joins what two ways of searching found, best first. With hits of one way alone they keep their order, and scores are
 * what that way says: cosine similarity, or BM25 compared with the best. Else scores are reciprocal ranks compared with
 * the best there could be.
 * @param vectorWeight from 0, only words count, to 1
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
 * Puts what a rerank model ordered first, and what it said nothing of behind that.
 * @param ranking by the place in `chunks`
 */
export function reranked(
  chunks: readonly RankedChunk[],
  ranking: readonly { index: number; score: number }[],
): RankedChunk[] {
  const areShares = ranking.every(({ score }) => score >= 0 && score <= 1);
  const ordered = ranking.flatMap(({ index, score }, place) => {
    const chunk = chunks[index];
    if (chunk === undefined) return [];
    // Models that do not give shares give numbers without bounds, whose middle is 0.
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
