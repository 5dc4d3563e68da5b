import type { SocketConnection } from '@parley/sdk';
import { pause } from '../../lib/waiting.ts';
import { isSessionOver, lastingFault } from './close-codes.ts';
import type { GatewayEvent } from './inbox.ts';

/** Operations of the gateway. @see https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-opcodes */
const operations = { event: 0, heartbeat: 1, reconnect: 7, invalidSession: 9, hello: 10, acknowledged: 11 } as const;
/** Closes without ending the session. */
const closeToResume = 4000;
/** Interval for a hello that names none, milliseconds. */
const usualInterval = 41_250;

export interface LinkOptions {
  /** Sent after the hello: identifies, or resumes. */
  opening: unknown;
  /** Processes an event; the next one waits for it. Rejects only when the signal is aborted. */
  take(event: GatewayEvent, signal: AbortSignal): Promise<void>;
  /** The event up to which none is needed again. Called for each heartbeat. */
  acknowledged(): number | null;
  /** The session cannot be resumed. */
  forget(): Promise<void>;
  /** A frame that is none of the gateway. */
  onUnreadable(): void;
}

/** Thrown when the gateway does not know the session any more. */
export class SessionLost extends Error {
  constructor() {
    super('Discord does not know the session any more');
    this.name = 'SessionLost';
  }
}

/** One connection to the gateway: its handshake, its heartbeats, and its events in order. */
export class GatewayLink {
  /** Resolves when the session stands. @throws SessionLost, or the ParleyError of a lasting fault */
  readonly ready: Promise<void>;
  /** Resolves when the connection has ended and no event of it is processed any more. */
  readonly settled: Promise<void>;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = new AbortController();
  readonly #socket: SocketConnection;
  readonly #options: LinkOptions;
  #turn: Promise<void> = Promise.resolve();
  #isAcknowledged = true;
  #isBeating = false;

  constructor(socket: SocketConnection, options: LinkOptions) {
    this.#socket = socket;
    this.#options = options;
    this.ready = this.#ready.promise;
    this.ready.catch(() => undefined);
    socket.onMessage((data) => this.#read(data));
    this.settled = socket.closed.then((closed) => this.#end(closed));
  }

  async #end({ code, reason }: { code: number; reason: string }): Promise<void> {
    const fault =
      lastingFault({ code }) ?? new Error(`Discord closed the connection (${code}${reason && `: ${reason}`})`);
    this.#ended.abort(fault);
    if (isSessionOver(code)) await this.#lose();
    this.#ready.reject(fault);
    await this.#turn;
  }

  async #lose(): Promise<void> {
    await this.#options.forget().catch(() => undefined);
    this.#ready.reject(new SessionLost());
  }

  #read(data: string | Uint8Array): void {
    const frame = frameOf(data);
    if (frame === null) this.#options.onUnreadable();
    else this.#handle(frame);
  }

  #handle(frame: Frame): void {
    const { op, d: content } = frame;
    if (op === operations.event) this.#queue(frame);
    else if (op === operations.heartbeat) this.#beat();
    else if (op === operations.reconnect) this.#socket.close(closeToResume);
    else if (op === operations.invalidSession) void this.#invalidate(content === true);
    else if (op === operations.hello) void this.#greet(content);
    else if (op === operations.acknowledged) this.#isAcknowledged = true;
  }

  async #invalidate(mayResume: boolean): Promise<void> {
    if (!mayResume) await this.#lose();
    this.#socket.close(closeToResume);
  }

  /** Starts the heartbeats and the session. */
  async #greet(hello: unknown): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#send(this.#options.opening);
    const { heartbeat_interval: named } = (hello ?? {}) as { heartbeat_interval?: unknown };
    const interval = typeof named === 'number' && named >= 10 && named <= 600_000 ? named : usualInterval;
    const { signal } = this.#ended;
    await pause(interval * Math.random(), signal);
    while (!signal.aborted) {
      if (!this.#isAcknowledged) return this.#socket.terminate();
      this.#isAcknowledged = false;
      this.#beat();
      await pause(interval, signal);
    }
  }

  #beat(): void {
    this.#send({ op: operations.heartbeat, d: this.#options.acknowledged() });
  }

  /** A connection that broke is noticed by its end. */
  #send(frame: unknown): void {
    this.#socket.send(JSON.stringify(frame)).catch(() => undefined);
  }

  #queue({ t, s, d }: Frame): void {
    const { signal } = this.#ended;
    if (typeof t !== 'string' || !Number.isSafeInteger(s)) {
      this.#options.onUnreadable();
      return;
    }
    const data = typeof d === 'object' && d !== null ? (d as Record<string, unknown>) : {};
    const event: GatewayEvent = { type: t, data, sequence: Number(s) };
    this.#turn = this.#turn.then(async () => {
      if (signal.aborted) return;
      await this.#options.take(event, signal).catch((error: unknown) => {
        if (signal.aborted) return;
        // What is not processed must come again.
        this.#ready.reject(error);
        this.#socket.close(closeToResume);
      });
      if (t === 'READY' || t === 'RESUMED') this.#ready.resolve();
    });
  }
}

interface Frame {
  op: number;
  d?: unknown;
  s?: unknown;
  t?: unknown;
}

function frameOf(data: string | Uint8Array): Frame | null {
  try {
    const frame: unknown = JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data));
    const { op } = (frame ?? {}) as Partial<Frame>;
    return typeof op === 'number' ? (frame as Frame) : null;
  } catch {
    return null;
  }
}
