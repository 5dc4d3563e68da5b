import type { ChunkHit } from '@parley/sdk/internal';

/** The hits with the highest scores, best first; of equal ones, those of earlier chunks. */
export function bestHits(scores: ReadonlyMap<number, number>, limit: number): ChunkHit[] {
  const best: [chunk: number, score: number][] = [];
  for (const hit of scores) {
    const worst = best.at(-1);
    if (best.length >= limit && (worst === undefined || !isBefore(hit, worst))) continue;
    let from = 0;
    let to = best.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isBefore(hit, best[middle] as [number, number])) to = middle;
      else from = middle + 1;
    }
    best.splice(from, 0, hit);
    if (best.length > limit) best.pop();
  }
  return best.map(([chunk, score]) => ({ id: String(chunk), score }));
}

function isBefore([chunk, score]: readonly [number, number], other: readonly [number, number]): boolean {
  return score === other[1] ? chunk < other[0] : score > other[1];
}
