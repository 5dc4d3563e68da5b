import type { Timing } from '../timing.ts';

/** Times in which a test need not wait. */
export const quickTiming: Partial<Timing> = {
  ackMs: 1000,
  transferMs: 500,
  conflictMs: 2,
  pingMs: 60,
  socket: { firstPause: 10, longestPause: 40, begin: 2000, stable: 1 },
  refreshMs: 0,
  streamMs: 500,
  quotaWaitMs: 100,
  storePauseMs: 5,
  longestStorePauseMs: 20,
  fetchMs: 500,
  settleMs: 10,
  welcomeMs: 200,
  callMs: 1500,
  stopMs: 500,
};
