/**
 * Upper ends of the spans that answers are sorted into by how long they took, milliseconds; the last span has no end.
 */
export const latencyEnds = [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000] as const;

export const latencyMeasures = [
  'latency_0',
  'latency_1',
  'latency_2',
  'latency_3',
  'latency_4',
  'latency_5',
  'latency_6',
  'latency_7',
  'latency_8',
  'latency_9',
  'latency_10',
  'latency_11',
] as const;

/** Counters and totals, by their source. All are integers, so that sums of sums are exact. */
export const measuresBySource = {
  messages: ['received', 'sent', 'succeeded', 'failed', 'failed_received', ...latencyMeasures],
  llm_calls: ['llm_calls', 'llm_failures', 'input_tokens', 'output_tokens', 'cost_nano', 'llm_milliseconds'],
  tool_calls: ['tool_calls', 'tool_failures'],
  deliveries: ['delivery_failures'],
  embedding_calls: ['embedding_calls', 'embedding_failures', 'embedding_tokens'],
} as const;

export type MeasureSource = keyof typeof measuresBySource;
export type Measure = (typeof measuresBySource)[MeasureSource][number];

/** How many billionths a unit of money has: costs are summed up in these. */
export const nanoPerUnit = 1_000_000_000;

export const measures: readonly Measure[] = Object.values(measuresBySource).flat();

/**
 * About how long the given share of answers took at most, milliseconds: exact up to the span that it falls into, and
 * evenly spread within it. Null when there were no answers.
 * @param counts answers by {@link latencyMeasures}
 * @param share from 0 to 1
 */
export function latencyPercentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = Math.max(1, Math.ceil(total * share));
  let before = 0;
  for (const [index, count] of counts.entries()) {
    if (before + count < wanted) {
      before += count;
      continue;
    }
    const start = latencyEnds[index - 1] ?? 0;
    // Only the start of the last range is known.
    const end = latencyEnds[index] ?? start;
    return Math.round(start + ((end - start) * (wanted - before)) / count);
  }
  return null;
}
