import type { SocketTiming } from '../../kit/sockets/supervised-socket.ts';

/** How long things take, in milliseconds. Tests shorten them. */
export interface Timing {
  /** Time that a call may take. */
  callMs: number;
  /** Time that a call with a file may take. */
  transferMs: number;
  /** Time between two pings of the connection. */
  pingMs: number;
  /** Of the connection. */
  socket: Partial<SocketTiming>;
  /** How long a connection that is to be replaced stays open for acknowledgements. DingTalk ends it after 10 seconds. */
  drainMs: number;
  /** Time between two messages in one chat when there are many, after a burst: together 20 a minute. */
  sendMs: number;
  sendBurst: number;
  /** Pause after too many calls a second, where DingTalk names none. */
  callPauseMs: number;
  /** Pause after the limit of 20 messages a minute was exceeded. */
  sendLimitMs: number;
  /** Pause before a message is stored again that could not be; it doubles with each failure, up to the longest. */
  storePauseMs: number;
  longestStorePauseMs: number;
  /** How long a stop waits for work in progress. */
  stopMs: number;
}

export const defaultTiming: Timing = {
  callMs: 30_000,
  transferMs: 120_000,
  pingMs: 30_000,
  socket: {},
  drainMs: 5000,
  sendMs: 4000,
  sendBurst: 5,
  callPauseMs: 1000,
  sendLimitMs: 600_000,
  storePauseMs: 500,
  longestStorePauseMs: 5000,
  stopMs: 4000,
};
