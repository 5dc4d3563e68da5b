/** How long things take, in milliseconds. Tests shorten them. */
export interface Timing {
  /** Timeout of a call. */
  callMs: number;
  /** Timeout of a call with a file. */
  transferMs: number;
  /** Pause after the first failure to connect, in socket mode. */
  connectPauseMs: number;
  /** Time between two pings, in socket mode. */
  heartbeatMs: number;
  /** Least time between two edits of a message. */
  editMs: number;
  /** Least time between two texts that are added to a stream. @see https://docs.slack.dev/reference/methods/chat.appendStream */
  appendMs: number;
  /** How long a message is streamed. Slack ends a stream about five minutes after it started, as clients report. */
  streamMs: number;
  /** Least time between two messages into one channel after a burst. @see https://docs.slack.dev/apis/web-api/rate-limits */
  sendMs: number;
  sendBurst: number;
}

export const defaultTiming: Timing = {
  callMs: 30_000,
  transferMs: 120_000,
  connectPauseMs: 500,
  heartbeatMs: 30_000,
  editMs: 1500,
  appendMs: 1000,
  streamMs: 240_000,
  sendMs: 1000,
  sendBurst: 3,
};
