import { type ConnectionReport, ParleyError, type SocketConnection } from '@parley/sdk';
import pRetry from 'p-retry';
import { retryableError } from '../../lib/retryable-error.ts';
import { inTime, untilAborted } from '../../lib/waiting.ts';
import { awaitAttempt } from './attempt-pace.ts';

/** How a connection ended. */
type Closed = Awaited<SocketConnection['closed']>;

export interface SupervisedSocketOptions {
  /** Host that is connected to, whose attempts are paced. */
  host: string;
  /**
   * Opens a connection and everything before it, such as asking for its address.
   * @throws ParleyError `platform_unauthorized` or `invalid_request` when no further attempt makes sense
   */
  connect(signal: AbortSignal): Promise<SocketConnection>;
  /**
   * Adds listeners to a new connection, and resolves when it can be used.
   * @throws as `connect`
   */
  begin(socket: SocketConnection, signal: AbortSignal): Promise<void>;
  /** Why no further connection is tried after one that ended, such as wrong credentials; null to try again. */
  lastingFault?(closed: Closed): ParleyError | null;
  report(report: ConnectionReport): void;
  /**
   * Sent regularly, such as a ping. A connection that was silent for two intervals is ended. Default: ping frames every
   * 30 seconds.
   */
  heartbeat?: { intervalMs: number; beat(socket: SocketConnection): void };
  timing?: Partial<SocketTiming>;
}

/** Milliseconds. */
export interface SocketTiming {
  /** Pause after the first failure; each one after it is twice as long, up to `longestPause`, and randomized. */
  firstPause: number;
  longestPause: number;
  /** Timeout of `connect` and `begin` together. */
  begin: number;
  /** After a connection that lasted this long, the next one is tried at once. */
  stable: number;
}

const defaultTiming: SocketTiming = { firstPause: 500, longestPause: 60_000, begin: 30_000, stable: 30_000 };
const defaultHeartbeat = { intervalMs: 30_000, beat: (socket: SocketConnection) => socket.ping() };

/** Keeps one connection to a platform, which is replaced when it breaks, falls silent or is asked for again. */
export class SupervisedSocket {
  readonly #options: SupervisedSocketOptions;
  readonly #timing: SocketTiming;
  readonly #stopping = new AbortController();
  readonly #started = Promise.withResolvers<void>();
  #ended: Promise<void> = Promise.resolve();
  #socket: SocketConnection | null = null;
  #hasStarted = false;

  constructor(options: SupervisedSocketOptions) {
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
    this.#started.promise.catch(() => undefined);
  }

  /** Resolves when the first connection can be used. @throws why the first attempt failed: there is no further one */
  start(): Promise<void> {
    if (!this.#stopping.signal.aborted) this.#ended = this.#keepUp();
    return this.#started.promise;
  }

  /** Ends the connection and every attempt. */
  async stop(): Promise<void> {
    const reason = new ParleyError('bot_not_running', 'The connection was closed');
    this.#started.reject(reason);
    this.#stopping.abort(reason);
    this.#socket?.close(1000);
    await this.#ended;
  }

  /** The connection, for sending. @throws ParleyError `bot_not_running` while there is none */
  get socket(): SocketConnection {
    if (this.#socket === null) throw new ParleyError('bot_not_running', 'The bot is not connected to its platform');
    return this.#socket;
  }

  /** Replaces the connection by a new one, as the platform asked. */
  reconnect(): void {
    this.#socket?.close(4000);
  }

  async #keepUp(): Promise<void> {
    const { signal } = this.#stopping;
    const { firstPause, longestPause } = this.#timing;
    try {
      for (;;) {
        await pRetry(() => this.#live(signal), {
          retries: Number.POSITIVE_INFINITY,
          minTimeout: firstPause,
          maxTimeout: longestPause,
          randomize: true,
          signal,
          shouldRetry: ({ error }) => this.#hasStarted && !isLasting(error),
        });
      }
    } catch (error) {
      this.#started.reject(error);
      if (this.#hasStarted && !signal.aborted) this.#options.report(reportOf('failed', error));
    }
  }

  /** The life of one connection. Resolves when it ended after it had been stable. @throws Error otherwise */
  async #live(signal: AbortSignal): Promise<void> {
    const { begin, stable } = this.#timing;
    const attempt = new AbortController();
    const abort = () => attempt.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await awaitAttempt(this.#options.host, signal);
      const socket = await inTime(this.#open(attempt.signal), begin, tooSlow);
      const upSince = Date.now();
      this.#socket = socket;
      if (this.#hasStarted) this.#options.report({ state: 'connected' });
      this.#hasStarted = true;
      this.#started.resolve();
      const closed = await this.#watched(socket);
      signal.throwIfAborted();
      const fault = this.#options.lastingFault?.(closed) ?? lostConnection(closed);
      this.#options.report(reportOf('reconnecting', fault));
      if (isLasting(fault) || Date.now() - upSince < stable) throw fault;
    } catch (error) {
      signal.throwIfAborted();
      if (this.#hasStarted && !isLasting(error)) this.#options.report(reportOf('reconnecting', error));
      throw retryableError(error);
    } finally {
      this.#socket = null;
      attempt.abort();
      signal.removeEventListener('abort', abort);
    }
  }

  async #open(signal: AbortSignal): Promise<SocketConnection> {
    const connecting = this.#options.connect(signal);
    // One that comes too late is not used.
    connecting.then(
      (late) => signal.aborted && late.terminate(),
      () => undefined,
    );
    const socket = await untilAborted(connecting, signal);
    try {
      const ended = socket.closed.then((closed) => {
        throw this.#options.lastingFault?.(closed) ?? lostConnection(closed);
      });
      await untilAborted(Promise.race([this.#options.begin(socket, signal), ended]), signal);
      signal.throwIfAborted();
      return socket;
    } catch (error) {
      socket.terminate();
      throw error;
    }
  }

  /** Resolves when a connection has ended, by itself or because it was silent. */
  async #watched(socket: SocketConnection): Promise<Closed> {
    const { intervalMs, beat } = this.#options.heartbeat ?? defaultHeartbeat;
    let silentBeats = 0;
    socket.onActivity(() => {
      silentBeats = 0;
    });
    const timer = setInterval(() => {
      if (silentBeats >= 2) socket.terminate();
      else beat(socket);
      silentBeats += 1;
    }, intervalMs);
    try {
      return await socket.closed;
    } finally {
      clearInterval(timer);
    }
  }
}

function lostConnection({ code, reason }: Closed): ParleyError {
  return new ParleyError('platform_failed', `The connection to the platform ended (${code}${reason && `: ${reason}`})`);
}

function reportOf(state: 'reconnecting' | 'failed', error: unknown): ConnectionReport {
  if (error instanceof ParleyError) return { state, reason: error.reason, message: error.message };
  return { state, reason: 'platform_failed', message: error instanceof Error ? error.message : String(error) };
}

function isLasting(error: unknown): boolean {
  return (
    error instanceof ParleyError && (error.reason === 'platform_unauthorized' || error.reason === 'invalid_request')
  );
}

function tooSlow(): never {
  throw new ParleyError('platform_failed', 'The platform did not answer in time');
}
