import type { ConnectionTiming } from './bot-connection.ts';

/** Times of the runtime, milliseconds. */
export interface RuntimeTiming extends ConnectionTiming {
  /** Timeout of a connection test. */
  test: number;
  /** How long `apply` waits for a platform. */
  patience: number;
  /** How long messages that are being answered may take before their bot goes to another replica. */
  leave: number;
  /** How long the start of the service waits for all of them together. */
  patienceAtStart: number;
}

export const defaultTiming: RuntimeTiming = {
  start: 60_000,
  stop: 5000,
  firstPause: 1000,
  longestPause: 60_000,
  stable: 60_000,
  test: 15_000,
  patience: 3000,
  leave: 10_000,
  patienceAtStart: 1000,
};
