import type { Timing } from '../timing.ts';

/** Times in which a test need not wait. */
export const quickTiming: Partial<Timing> = {
  callMs: 1500,
  transferMs: 2000,
  pingMs: 60,
  socket: { firstPause: 10, longestPause: 40, begin: 2000, stable: 1 },
  drainMs: 300,
  sendMs: 0,
  callPauseMs: 20,
  stopMs: 200,
};
