import { describe, expect, it } from 'vitest';
import { bm25, highestTermScore, termScore, termWeight, weighted } from './bm25.ts';

describe('the score of a term', () => {
  it('is what BM25 says', () => {
    // ln(1 + (10 - 2 + 0.5) / (2 + 0.5)) * 3 * 2.2 / (3 + 1.2 * (1 - 0.6 + 0.6 * 120 / 100))
    expect(termScore(termWeight('wing', 10, 2), 3, 120, 100)).toBeCloseTo(2.2511, 3);
  });

  it('grows with frequency and rarity, and decreases with the length', () => {
    const score = (frequency: number, length: number, holding: number) =>
      termScore(termWeight('wing', 1000, holding), frequency, length, 100);
    expect(score(2, 100, 5)).toBeGreaterThan(score(1, 100, 5));
    expect(score(1, 100, 5)).toBeGreaterThan(score(1, 100, 50));
    expect(score(1, 100, 5)).toBeGreaterThan(score(1, 200, 5));
    expect(score(1, 100, 1000)).toBeGreaterThan(0);
  });

  it('never reaches its bound', () => {
    const weight = termWeight('wing', 1000, 1);
    expect(termScore(weight, 1e6, 1, 100)).toBeLessThan(highestTermScore(weight));
  });

  it('is not spoiled by counts that are behind', () => {
    expect(termWeight('wing', 3, 5)).toBeGreaterThanOrEqual(0);
  });

  it('is lower for a pair of characters than for a word', () => {
    expect(termWeight('_订单', 100, 3)).toBeCloseTo(bm25.pairWeight * termWeight('订单', 100, 3));
  });

  it('counts fields by their weights', () => {
    expect(weighted({ title: 1, headings: 2, body: 4 })).toBe(
      bm25.weights.title + 2 * bm25.weights.headings + 4 * bm25.weights.body,
    );
  });
});
