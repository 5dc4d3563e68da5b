import { describe, expect, it } from 'vitest';
import { rankingFigures } from './retrieval-collection.ts';

const grades = new Map([
  [
    'first',
    new Map([
      ['a', 3],
      ['b', 1],
    ]),
  ],
  ['second', new Map([['c', 1]])],
]);

describe('figures of rankings', () => {
  it('are 1 for the best ones', () => {
    const best = new Map([
      ['first', ['a', 'b', 'x']],
      ['second', ['c']],
    ]);
    expect(rankingFigures(best, grades)).toEqual({ queries: 2, ndcg_at_10: 1, hit_at_1: 1, hit_at_5: 1, mrr: 1 });
  });

  it('count what comes late for less, and what is missing for nothing', () => {
    const late = new Map([
      ['first', ['x', 'a', 'b']],
      ['second', ['x']],
    ]);
    // (7 / log2(3) + 1 / log2(4)) / (7 + 1 / log2(3)), and 0
    expect(rankingFigures(late, grades)).toEqual({
      queries: 2,
      ndcg_at_10: 0.3221,
      hit_at_1: 0,
      hit_at_5: 0.5,
      mrr: 0.25,
    });
  });

  it('look at the first ten only', () => {
    const far = new Map([['second', [...'0123456789'.split(''), 'c']]]);
    expect(rankingFigures(far, grades)).toMatchObject({ ndcg_at_10: 0, hit_at_5: 0 });
  });
});
