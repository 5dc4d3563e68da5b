import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExpectedPassage } from './golden-question.ts';
import { type FoundPassage, isExpected, isLower, meanFigures, rankingFigures } from './ranking-figures.ts';

const expecting = (document_uuid: string, grade = 1, quote: string | null = null): ExpectedPassage => ({
  document_uuid,
  quote,
  grade,
});
const passage = (document_uuid: string | null, text = 'text'): FoundPassage => ({ document_uuid, text });

describe('how a ranking did', () => {
  it('depends on the rank of the first expected passage', () => {
    const found = ['x', 'a', 'a', 'b'].map((document) => passage(document));
    expect(rankingFigures(found, [expecting('a')])).toEqual({
      rank: 2,
      ndcg_at_10: 1 / Math.log2(3),
      is_expected: [false, true, true, false],
    });
    expect(rankingFigures(found, [expecting('c')])).toMatchObject({ rank: null, ndcg_at_10: 0 });
    expect(rankingFigures([], [expecting('a')])).toEqual({ rank: null, ndcg_at_10: 0, is_expected: [] });
  });

  it('is 0 beyond the tenth rank', () => {
    const found = [...Array.from({ length: 10 }, (_, index) => passage(`x${index}`)), passage('a')];
    expect(rankingFigures(found, [expecting('a')])).toMatchObject({ rank: null, ndcg_at_10: 0 });
    expect(rankingFigures(found.slice(1), [expecting('a')])).toMatchObject({ rank: 10 });
  });

  it('weights more relevant passages higher, and counts several passages of a document once', () => {
    const expected = [expecting('a', 3), expecting('b', 1)];
    const worst = rankingFigures([passage('b'), passage('b'), passage('a')], expected).ndcg_at_10;
    const ideal = 7 / 1 + 1 / Math.log2(3);
    expect(worst).toBeCloseTo((1 + 7 / 2) / ideal, 12);
    expect(rankingFigures([passage('a'), passage('b'), passage('a')], expected).ndcg_at_10).toBe(1);
  });

  it('counts a passage with a quote only where it holds it, whatever its spaces and case', () => {
    const expected = [expecting('a', 1, 'Nine  Lives\nof cats')];
    const [without, holding] = [passage('a', 'nine lives'), passage('a', 'The nine lives of\u00a0 CATS.')];
    expect(rankingFigures([without, holding], expected)).toMatchObject({ rank: 2, is_expected: [false, true] });
    expect(isExpected(passage('b', holding.text), expected)).toBe(false);
    expect(isExpected(passage(null, holding.text), expected)).toBe(false);
  });

  it('takes the better of two ways to be right about a document', () => {
    const expected = [expecting('a', 1), expecting('a', 2, 'exactly this')];
    const found = [passage('a', 'about that'), passage('a', 'it is exactly  this')];
    expect(rankingFigures(found, expected)).toMatchObject({ rank: 1 });
    expect(rankingFigures(found, expected).ndcg_at_10).toBeCloseTo(Math.max(1, 3 / Math.log2(3)) / 3, 12);
    expect(rankingFigures(found.toReversed(), expected).ndcg_at_10).toBe(1);
  });

  it('equals a naive computation', () => {
    const documents = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const rankings = fc.array(documents, { maxLength: 14 });
    const wanted = fc.dictionary(documents, fc.integer({ min: 1, max: 5 }), { minKeys: 1 });
    fc.assert(
      fc.property(rankings, wanted, (ranking, grades) => {
        const expected = Object.entries(grades).map(([document, grade]) => expecting(document, grade));
        const figures = rankingFigures(
          ranking.map((document) => passage(document)),
          expected,
        );
        let [dcg, ideal, first] = [0, 0, 0];
        for (let place = 1; place <= Math.min(10, ranking.length); place += 1) {
          const document = ranking[place - 1] as string;
          const grade = grades[document];
          if (grade === undefined) continue;
          if (first === 0) first = place;
          if ((ranking as string[]).indexOf(document) === place - 1) dcg += (2 ** grade - 1) / Math.log2(place + 1);
        }
        const sorted = Object.values(grades).sort((left, right) => right - left);
        for (let place = 1; place <= Math.min(10, sorted.length); place += 1) {
          ideal += (2 ** (sorted[place - 1] as number) - 1) / Math.log2(place + 1);
        }
        expect(figures.rank).toBe(first === 0 ? null : first);
        expect(figures.ndcg_at_10).toBeCloseTo(dcg / ideal, 10);
      }),
    );
  });

  it('is between 0 and 1 whatever is expected and found', () => {
    const entry = fc.record({
      document_uuid: fc.constantFrom('a', 'b', 'c'),
      quote: fc.constantFrom(null, 'x', 'y'),
      grade: fc.integer({ min: 1, max: 10 }),
    });
    const found = fc.record({
      document_uuid: fc.constantFrom('a', 'b', 'c', null),
      text: fc.constantFrom('x', 'y', 'x y', ''),
    });
    fc.assert(
      fc.property(fc.array(found), fc.array(entry, { minLength: 1 }), (passages, expected) => {
        const { ndcg_at_10, rank, is_expected } = rankingFigures(passages, expected);
        expect(ndcg_at_10).toBeGreaterThanOrEqual(0);
        expect(ndcg_at_10).toBeLessThanOrEqual(1);
        expect(rank === null).toBe(ndcg_at_10 === 0);
        expect(is_expected.indexOf(true) + 1).toBe(rank ?? 0);
      }),
    );
  });
});

describe('the means', () => {
  it('are those over the questions, and of all citations', () => {
    const rankings = [1, 4, 10, null].map((rank) => ({ rank, ndcg_at_10: rank === null ? 0 : 0.5 }));
    const answers = [
      { citations: 3, right_citations: 1 },
      { citations: 1, right_citations: 1 },
      { citations: 0, right_citations: 0 },
    ];
    expect(meanFigures(rankings, answers)).toEqual({
      questions: 4,
      hit_at_1: 0.25,
      hit_at_5: 0.5,
      hit_at_10: 0.75,
      ndcg_at_10: 0.375,
      mrr: (1 + 0.25 + 0.1) / 4,
      citation_precision: 0.5,
    });
  });

  it('are null without any value', () => {
    expect(meanFigures([], [])).toEqual({
      questions: 0,
      hit_at_1: null,
      hit_at_5: null,
      hit_at_10: null,
      ndcg_at_10: null,
      mrr: null,
      citation_precision: null,
    });
  });

  it.each([
    ['hit_at_1', false],
    ['hit_at_5', true],
    ['hit_at_10', false],
    ['ndcg_at_10', true],
    ['mrr', true],
    ['citation_precision', true],
  ])('of which %s decides: %s', (name, decides) => {
    const figures = meanFigures([{ rank: 1, ndcg_at_10: 1 }], [{ citations: 2, right_citations: 2 }]);
    expect(isLower({ ...figures, [name]: 0.994 }, figures)).toBe(decides);
    expect(isLower({ ...figures, [name]: 0.996 }, figures)).toBe(false);
    expect(isLower(figures, { ...figures, [name]: 0 })).toBe(false);
    expect(isLower({ ...figures, [name]: null }, figures)).toBe(false);
  });
});
