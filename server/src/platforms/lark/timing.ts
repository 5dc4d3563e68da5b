import type { SocketTiming } from '../../kit/sockets/supervised-socket.ts';

/** How long things take, in milliseconds. Tests shorten them. */
export interface Timing {
  /** Time that a call may take. */
  callMs: number;
  /** Time that a call with a file may take. */
  transferMs: number;
  /** Time to look up a quoted message before the message is stored. The platform waits 3 seconds for both. */
  quoteMs: number;
  /** Time between two pings where the platform names none. */
  pingMs: number;
  /** Of the long connection. */
  socket: Partial<SocketTiming>;
  /** Least time between two updates of a card; the platform takes about 10 a second. */
  cardUpdateMs: number;
  /** The platform ends streaming 10 minutes after it was switched on. */
  cardStreamMs: number;
  /** Time between two messages in one chat when there are many, after a burst. The platform takes 5 a second. */
  sendMs: number;
  sendBurst: number;
  /** Time between two questions whether a sign-in is complete, where the platform names none. */
  loginPollMs: number;
  /** How long a stop waits for calls in progress. */
  stopMs: number;
}

export const defaultTiming: Timing = {
  callMs: 30_000,
  transferMs: 120_000,
  quoteMs: 1000,
  pingMs: 120_000,
  socket: {},
  cardUpdateMs: 200,
  cardStreamMs: 510_000,
  sendMs: 250,
  sendBurst: 5,
  loginPollMs: 5000,
  stopMs: 4000,
};
