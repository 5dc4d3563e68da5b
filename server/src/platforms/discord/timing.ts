/** How long things take, in milliseconds. Tests shorten them. */
export interface Timing {
  /** Timeout of a call. */
  callMs: number;
  /** Timeout of a call with files, and of a download. */
  transferMs: number;
  /** Timeout of a connection until the gateway has accepted it, with the events that it repeats. */
  beginMs: number;
  /** Pause after the first failure to connect or to store a message; it doubles with each, up to the longest. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** After a connection that lasted this long, the next one is made at once. */
  stableMs: number;
  /** Least time between two new sessions. @see https://docs.discord.com/developers/events/gateway#rate-limiting */
  identifyGapMs: number;
  /** Least time between two edits in a channel, which has about five in five seconds. */
  editMs: number;
  /** Time between two messages into a channel when there are many, after a burst of `sendBurst` without pause. */
  sendMs: number;
  sendBurst: number;
  /** How long a stop waits for work in progress. */
  stopMs: number;
}

export const defaultTiming: Timing = {
  callMs: 30_000,
  transferMs: 120_000,
  beginMs: 60_000,
  firstPauseMs: 1000,
  longestPauseMs: 60_000,
  stableMs: 30_000,
  identifyGapMs: 5000,
  editMs: 1200,
  sendMs: 1000,
  sendBurst: 5,
  stopMs: 4000,
};
