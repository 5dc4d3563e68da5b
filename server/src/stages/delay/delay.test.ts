import type { AnswerFilter } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDelay } from './index.ts';

const between = (min: number, max: number) => ({ config: { output: { 'force-delay': { min, max } } } });
stageContract({ stage: createDelay(), contexts: [{}, between(1, 2), between(2, 1)] });

function delayOf(min: number, max: number, random: () => number): number {
  const filter = createDelay({ random }).answer?.(
    pipelineMessage(),
    fakeStageContext(createDelay(), between(min, max)),
  );
  return (filter as AnswerFilter | null)?.delayMs ?? 0;
}

describe('output.force-delay.min and output.force-delay.max', () => {
  it.each([
    [0, 0, 0.5, 0],
    [2, 2, 0.9, 2000],
    [1, 3, 0, 1000],
    [1, 3, 0.5, 2000],
    [0, 1, 0.25, 250],
    [3, 1, 0.5, 2000],
    [86_400, 86_400, 0, 86_400_000],
  ])('from %d to %d seconds: the share %d of it is %d milliseconds', (min, max, share, milliseconds) => {
    expect(delayOf(min, max, () => share)).toBe(milliseconds);
  });

  it('the wait lies between them, whichever is larger', () => {
    const seconds = fc.integer({ min: 0, max: 86_400 });
    fc.assert(
      fc.property(seconds, seconds, fc.double({ min: 0, max: 0.999999, noNaN: true }), (min, max, share) => {
        const delay = delayOf(min, max, () => share);
        expect(delay).toBeGreaterThanOrEqual(Math.min(min, max) * 1000);
        expect(delay).toBeLessThanOrEqual(Math.max(min, max) * 1000);
      }),
    );
  });

  it('each answer has its own delay', () => {
    const waits = new Set(Array.from({ length: 50 }, () => delayOf(0, 1000, Math.random)));
    expect(waits.size).toBeGreaterThan(10);
  });
});
