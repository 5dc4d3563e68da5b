import type { Statistics } from './statistics.ts';

export interface StatisticsStore {
  /** Moments are milliseconds since 1970. */
  count(moments: { activeSince: number; receivedSince: number }): Promise<Statistics>;
}
