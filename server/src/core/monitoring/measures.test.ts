import { describe, expect, it } from 'vitest';
import { latencyEnds, latencyMeasures, latencyPercentile } from './measures.ts';

const counts = (over: Record<number, number>) => latencyMeasures.map((_, index) => over[index] ?? 0);

describe('the share of answers', () => {
  it('is null without answers', () => {
    expect(latencyPercentile(counts({}), 0.5)).toBeNull();
  });

  it('is spread evenly within a span', () => {
    expect(latencyPercentile(counts({ 2: 10 }), 0.5)).toBe(750);
    expect(latencyPercentile(counts({ 2: 10 }), 1)).toBe(1000);
    expect(latencyPercentile(counts({ 0: 1 }), 0.95)).toBe(250);
  });

  it('lies in the span that holds it', () => {
    const mixed = counts({ 0: 90, 3: 8, 5: 2 });
    expect(latencyPercentile(mixed, 0.5)).toBeLessThanOrEqual(250);
    const p95 = latencyPercentile(mixed, 0.95) ?? 0;
    expect(p95).toBeGreaterThan(latencyEnds[2]);
    expect(p95).toBeLessThanOrEqual(latencyEnds[3]);
    expect(latencyPercentile(mixed, 0.99)).toBeGreaterThan(latencyEnds[4]);
  });

  it('has no end in the last span', () => {
    expect(latencyPercentile(counts({ 11: 5 }), 0.95)).toBe(256_000);
  });
});
