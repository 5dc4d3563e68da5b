import type { components } from '@parley/client';

export type Explanation = components['schemas']['MessageExplanation'];
export type Step = components['schemas']['MessageStep'];
export type Passage = components['schemas']['RetrievedPassageRecord'];
export type Retrieval = components['schemas']['MessageRetrieval'];
export type Source = components['schemas']['PassageSource'];

const ends: readonly string[] = ['answered', 'stopped', 'failed', 'finished', 'sent', 'uncertain'];

/** Whether the message or its answer is still being processed. */
export function isUnderWay({ outcome, deliveries, tool_calls }: Explanation): boolean {
  if (!ends.includes(outcome)) return true;
  return (
    deliveries.some(({ state }) => state === 'pending' || state === 'sending') ||
    tool_calls.some(({ state }) => state === 'running')
  );
}

/** Start and length of the bar of a step, as shares of the total. */
export interface Span {
  start: number;
  length: number;
}

/** Bars for consecutive durations. Steps without duration have a length of 0. */
export function spansOf(times: readonly number[]): Span[] {
  const total = times.reduce((sum, time) => sum + Math.max(0, time), 0);
  let passed = 0;
  return times.map((time) => {
    const start = total === 0 ? 0 : passed / total;
    const length = total === 0 ? 0 : Math.max(0, time) / total;
    passed += Math.max(0, time);
    return { start, length };
  });
}

/** Totals of all model calls; the cost is null if no price is known. */
export function usageOf({ model_calls }: Pick<Explanation, 'model_calls'>) {
  const costs = model_calls.map(({ cost }) => cost).filter((cost) => cost !== null);
  return {
    input: model_calls.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
    output: model_calls.reduce((sum, { output_tokens }) => sum + output_tokens, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

/** Details of a step as names and values, with nested records flattened. */
export function detailsOf(details: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(details).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value)) return value.length === 0 ? [] : [[name, value.map(textOf).join(', ')]];
    if (typeof value === 'object') return detailsOf(value as Record<string, unknown>);
    return [[name, textOf(value)]];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
