/** How long things take, in milliseconds. Tests shorten them. */
export interface Timing {
  /** How long the start waits for the client, which connects by itself. */
  firstClientMs: number;
  /** Timeout of an action. */
  actionMs: number;
  /** Timeout of an action with a file. */
  transferMs: number;
  /** Time for the quoted and forwarded messages of one message, before it is stored without them. */
  lookupMs: number;
  /** Pause after the first failure to store a message; it doubles with each, up to the longest. */
  storePauseMs: number;
  longestStorePauseMs: number;
  /** Pause after the first failure to connect, in forward mode. */
  connectPauseMs: number;
  /** Least time between two messages into one chat after a burst. QQ limits accounts that write faster. */
  sendMs: number;
  sendBurst: number;
  /** How long a stop waits for what clients have sent, before it ends their connections. */
  arrivalMs: number;
  /** How long it then waits until that is stored. */
  arrivedMs: number;
  /** How long a stop waits for clients to end their connections. */
  closeMs: number;
  /** How long a stop waits for messages that are being stored. */
  stopMs: number;
}

export const defaultTiming: Timing = {
  firstClientMs: 2000,
  actionMs: 30_000,
  transferMs: 120_000,
  lookupMs: 3000,
  storePauseMs: 500,
  longestStorePauseMs: 1000,
  connectPauseMs: 500,
  sendMs: 1000,
  sendBurst: 5,
  arrivalMs: 500,
  arrivedMs: 1500,
  closeMs: 1000,
  stopMs: 1500,
};
