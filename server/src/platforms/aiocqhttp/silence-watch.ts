import type { SocketConnection } from '@parley/sdk';

/** Shortest and longest interval between heartbeats that is believed, milliseconds. */
const [shortest, longest] = [200, 600_000];

/**
 * Ends a connection whose client announced heartbeats and then fell silent for two of them. The protocol's pings do not
 * count: the system of a client that hangs may still answer them.
 */
export class SilenceWatch {
  readonly #socket: SocketConnection;
  #interval: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #messages = 0;

  constructor(socket: SocketConnection) {
    this.#socket = socket;
    socket.onMessage(() => {
      this.#messages += 1;
      this.#rewind();
    });
    void socket.closed.then(() => {
      this.#interval = null;
      clearTimeout(this.#timer);
    });
  }

  /** @param intervalMs until the next heartbeat, as the client announced it */
  expect(intervalMs: number): void {
    if (intervalMs <= 0) return;
    this.#interval = Math.min(longest, Math.max(shortest, intervalMs));
    this.#rewind();
  }

  #rewind(): void {
    clearTimeout(this.#timer);
    if (this.#interval === null) return;
    this.#timer = setTimeout(() => this.#look(this.#messages), 2 * this.#interval);
    this.#timer.unref();
  }

  /** In a process that stood still, messages of that time are read after its timers. */
  #look(before: number): void {
    setImmediate(() => this.#messages === before && this.#socket.terminate());
  }
}
