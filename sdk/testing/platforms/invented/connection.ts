import { ParleyError } from '../../../src/errors.ts';
import type { PlatformContext, SocketConnection } from '../../../src/platform.ts';
import type { InventedApi } from './api.ts';
import type { Shared } from './config.ts';

interface Frame {
  op?: unknown;
  session?: unknown;
  /** Identifies an event or a poll, for the response. */
  id?: unknown;
  event?: unknown;
}

export interface ConnectionOptions {
  api: InventedApi;
  shared: Shared;
  context: PlatformContext;
  closed: AbortSignal;
  /** @returns what is sent back for an event */
  take(event: unknown, reply: (fields: object) => Promise<void>): Promise<void>;
}

/** Keeps one websocket to the platform. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #socket: SocketConnection | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves when events can arrive. @throws why the first attempt failed */
  async start(): Promise<void> {
    this.#ended = this.#keep();
    await this.#ready.promise;
  }

  /** After `closed` was aborted. */
  async stop(): Promise<void> {
    this.#ready.reject(this.#options.closed.reason);
    if (!this.#options.shared.has('leaves a socket')) this.#socket?.close(1000);
    if (!this.#options.shared.has('leaves a socket')) await this.#ended;
  }

  async #keep(): Promise<void> {
    const { closed, context, shared } = this.#options;
    let pauseMs = shared.timing.firstPause;
    while (!closed.aborted) {
      const error = await this.#live().catch((fault: unknown) => fault);
      this.#socket = null;
      if (closed.aborted) return;
      if (!this.#isReady) return this.#ready.reject(error);
      const { reason, message } = faultOf(error);
      const isLasting = reason === 'platform_unauthorized' || reason === 'conflict';
      if (isLasting && !shared.has('connects again after a refusal')) {
        return context.reportConnection({ state: 'failed', reason, message });
      }
      context.reportConnection({ state: 'reconnecting', reason, message });
      if (isLasting) continue;
      await pause(pauseMs * (0.5 + Math.random() / 2), closed);
      pauseMs = Math.min(pauseMs * 2, shared.timing.longestPause);
    }
  }

  /** One connection, until it ends. @throws ParleyError why */
  async #live(): Promise<never> {
    const { api, context, closed, shared } = this.#options;
    const { url } = await api.call({ method: 'GET', path: '/socket' });
    const session = await context.state.read('session');
    if (shared.has('follows addresses without a check')) await fetch(String(url).replace('ws', 'http'));
    const socket = await context.openSocket(String(url), { signal: closed });
    this.#socket = socket;
    if (closed.aborted) socket.close(1000);
    let silentBeats = 0;
    socket.onActivity(() => {
      silentBeats = 0;
    });
    socket.onMessage((data) => this.#frame(socket, String(data)));
    const beat = setInterval(() => {
      if (silentBeats >= 2 && !shared.has('no watchdog')) socket.terminate();
      else void send(socket, { op: 'ping' });
      silentBeats += 1;
    }, shared.timing.heartbeat);
    try {
      await send(socket, { op: session === null ? 'identify' : 'resume', token: await api.token(), session });
      throw closeFault(await socket.closed);
    } finally {
      clearInterval(beat);
    }
  }

  #frame(socket: SocketConnection, data: string): void {
    let frame: Frame;
    try {
      frame = (JSON.parse(data) ?? {}) as Frame;
    } catch {
      return;
    }
    void this.#handle(socket, frame).catch((error: unknown) => {
      this.#options.context.logger.error({ error }, 'an event could not be handled');
    });
  }

  async #handle(socket: SocketConnection, { op, session, id, event }: Frame): Promise<void> {
    const { context, api, shared } = this.#options;
    if (op === 'ready') {
      await context.state.write({ session: String(session) });
      if (this.#isReady) context.reportConnection({ state: 'connected' });
      this.#isReady = true;
      this.#ready.resolve();
    }
    if (op === 'invalid') {
      if (!shared.has('session is not resumed')) await context.state.write({ session: null });
      else return socket.close(4000);
      await send(socket, { op: 'identify', token: await api.token() });
    }
    if (op === 'reconnect') socket.close(4000);
    if (op === 'event') {
      await this.#options
        .take(event, (fields) => send(socket, { op: 'ack', id, ...fields }))
        .catch(async (error) => {
          await send(socket, { op: 'nack', id });
          throw error;
        });
    }
  }
}

async function send(socket: SocketConnection, frame: object): Promise<void> {
  await socket.send(JSON.stringify(frame)).catch(() => undefined);
}

function closeFault({ code }: { code: number }): ParleyError {
  if (code === 4001) return new ParleyError('platform_unauthorized', 'The platform refuses the secret');
  if (code === 4002) return new ParleyError('conflict', 'Another program connected with the same account');
  return new ParleyError('platform_failed', `The connection ended (${code})`);
}

function faultOf(error: unknown): ParleyError {
  return error instanceof ParleyError ? error : new ParleyError('platform_failed', 'The platform cannot be reached');
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, milliseconds);
  const end = () => over.resolve();
  signal.addEventListener('abort', end);
  await over.promise;
  signal.removeEventListener('abort', end);
  clearTimeout(timer);
}
