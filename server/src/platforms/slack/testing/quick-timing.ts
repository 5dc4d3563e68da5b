import type { Timing } from '../timing.ts';

/** Times in which a test need not wait. */
export const quickTiming: Partial<Timing> = {
  callMs: 1500,
  transferMs: 500,
  connectPauseMs: 20,
  heartbeatMs: 100,
  editMs: 0,
  appendMs: 0,
  streamMs: 400,
  sendMs: 0,
};
