import type { Timing } from '../timing.ts';

/** Times in which a test need not wait. */
export const quickTiming: Partial<Timing> = {
  callMs: 1500,
  transferMs: 2000,
  quoteMs: 300,
  pingMs: 60,
  socket: { firstPause: 10, longestPause: 40, begin: 2000, stable: 1 },
  cardUpdateMs: 0,
  sendMs: 0,
  loginPollMs: 10,
  stopMs: 500,
};
