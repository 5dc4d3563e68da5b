import type { Statistics } from './statistics.ts';

/** Timestamps are milliseconds since 1970. */
export interface StatisticsStore {
  count(activeSince: number): Promise<Omit<Statistics, 'query_count'>>;
  /** Messages received from a timestamp on, and before another. */
  received(from: number, until: number): Promise<number>;
}
