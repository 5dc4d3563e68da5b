import type { SocketTiming } from '../../kit/sockets/supervised-socket.ts';

/** How long things take, in milliseconds. Tests shorten them. */
export interface Timing {
  /** The platform acknowledges a frame within 5 seconds. */
  ackMs: number;
  /** The same for a chunk of a file. */
  transferMs: number;
  /** Pause before a frame that met a conflict is sent again. */
  conflictMs: number;
  /** Time between two pings. */
  pingMs: number;
  /** Of the long connection. */
  socket: Partial<SocketTiming>;
  /** Least time between two refreshes of a stream: 30 messages a minute may go into a conversation, refreshes included. */
  refreshMs: number;
  /** The platform ends a stream after 6 minutes; reports of longer ones differ. */
  streamMs: number;
  /** Longest wait for the limit of a conversation; then sending pauses. */
  quotaWaitMs: number;
  /** Pause after the first failure to store a message; it doubles with each, up to the longest. */
  storePauseMs: number;
  longestStorePauseMs: number;
  /** How long the platform may take to fetch the end of a stream, which it asks for every second. */
  fetchMs: number;
  /** From when the platform has the end of a stream until users see it. */
  settleMs: number;
  /** A stream for which no sign of an answer came for so long is ended, so that it does not look as if one were coming. */
  unansweredMs: number;
  /** How long the response to an event waits for the welcome text. The platform waits 5 seconds. */
  welcomeMs: number;
  /** Timeout of a call. */
  callMs: number;
  /** How long a stop waits for calls in progress. */
  stopMs: number;
}

export const defaultTiming: Timing = {
  ackMs: 5000,
  transferMs: 30_000,
  conflictMs: 200,
  pingMs: 30_000,
  socket: {},
  refreshMs: 2500,
  streamMs: 330_000,
  quotaWaitMs: 5000,
  storePauseMs: 500,
  longestStorePauseMs: 5000,
  fetchMs: 10_000,
  settleMs: 200,
  unansweredMs: 60_000,
  welcomeMs: 3000,
  callMs: 30_000,
  stopMs: 3000,
};
