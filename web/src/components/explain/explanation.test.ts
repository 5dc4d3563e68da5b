import { describe, expect, it } from 'vitest';
import { detailsOf, type Explanation, isUnderWay, spansOf, usageOf } from './explanation.ts';

const settled = { outcome: 'answered', deliveries: [], tool_calls: [] };
const underWay = (part: object) => isUnderWay({ ...settled, ...part } as unknown as Explanation);

describe('whether a message is under way', () => {
  it.each(['received', 'processing', 'writing', 'pending', 'sending'])('it is while %s', (outcome) => {
    expect(underWay({ outcome })).toBe(true);
  });

  it.each(['answered', 'stopped', 'failed', 'sent', 'uncertain', 'finished'])('it is not when %s', (outcome) => {
    expect(underWay({ outcome })).toBe(false);
  });

  it('is so while its answer is sent or a tool runs', () => {
    expect(underWay({ deliveries: [{ state: 'sent' }, { state: 'sending' }] })).toBe(true);
    expect(underWay({ tool_calls: [{ state: 'running' }] })).toBe(true);
    expect(underWay({ deliveries: [{ state: 'failed' }], tool_calls: [{ state: 'failed' }] })).toBe(false);
  });
});

describe('the bars of the steps', () => {
  it('follow each other and fill the whole', () => {
    expect(spansOf([1, 0, 3])).toEqual([
      { start: 0, length: 0.25 },
      { start: 0.25, length: 0 },
      { start: 0.25, length: 0.75 },
    ]);
  });

  it('have no length where nothing took time', () => {
    expect(spansOf([0, 0])).toEqual([
      { start: 0, length: 0 },
      { start: 0, length: 0 },
    ]);
  });
});

it('details in records of their own stand among the others, and what is empty is left out', () => {
  const details = {
    runner: 'local-agent',
    knowledge: { asked: 1, cited: 0 },
    rules: { at: true, prefix: [] },
    entry: null,
  };
  expect(detailsOf(details)).toEqual([
    ['runner', 'local-agent'],
    ['asked', '1'],
    ['cited', '0'],
    ['at', 'true'],
  ]);
  expect(detailsOf({ prefix: ['a', 'b'], odd: [{ b: 1 }] })).toEqual([
    ['prefix', 'a, b'],
    ['odd', '{"b":1}'],
  ]);
});

it('the cost of calls is known as far as prices are', () => {
  const call = (input_tokens: number, output_tokens: number, cost: number | null) =>
    ({ input_tokens, output_tokens, cost }) as Explanation['model_calls'][number];
  expect(usageOf({ model_calls: [call(3, 2, null), call(1, 1, 0.5)] })).toEqual({ input: 4, output: 3, cost: 0.5 });
  expect(usageOf({ model_calls: [call(3, 2, null)] }).cost).toBeNull();
});
