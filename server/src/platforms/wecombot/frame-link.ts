import {
  type ConnectionReport,
  DeliveryError,
  type Logger,
  ParleyError,
  type PlatformContext,
  type SocketConnection,
} from '@parley/sdk';
import { recordAt, textAt } from '../../kit/services/values.ts';
import { SupervisedSocket } from '../../kit/sockets/supervised-socket.ts';
import { inTime, pause } from '../../lib/waiting.ts';
import type { WecomBotSettings } from './config.ts';
import { failureOf, isRefusal, startFailure } from './failure.ts';
import type { Timing } from './timing.ts';

type Body = Record<string, unknown>;

export interface FrameLinkOptions {
  settings: Pick<WecomBotSettings, 'BotId' | 'Secret' | 'websocket_url'>;
  openSocket: PlatformContext['openSocket'];
  /** Takes a message or an event. Never throws. @param reqId what answers to it carry */
  take(body: Body, reqId: string): void;
  report(report: ConnectionReport): void;
  logger: Logger;
  timing: Timing;
}

export interface RequestOptions {
  /** Of the message that is answered. Default: a new one. */
  reqId?: string | null;
  /** The frame may be sent again even if it was carried out. Default: false. */
  isRepeatable?: boolean;
  timeoutMs?: number;
}

/** A frame that waits for its acknowledgement. */
interface Pending {
  socket: SocketConnection;
  settle: PromiseWithResolvers<Body>;
}

/** Attempts at a frame that meets a conflict. */
const attempts = 4;

/**
 * The long connection: frames of JSON, each acknowledged by its request id. One at a time is sent for a request id.
 * @see https://developer.work.weixin.qq.com/document/path/101463
 */
export class FrameLink {
  readonly #options: FrameLinkOptions;
  readonly #socket: SupervisedSocket;
  readonly #pending = new Map<string, Pending>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #closed = new AbortController();
  #isTakenOver = false;

  constructor(options: FrameLinkOptions) {
    this.#options = options;
    const { settings, openSocket, report, timing } = options;
    const address = settings.websocket_url.trim();
    this.#socket = new SupervisedSocket({
      host: URL.parse(address)?.host ?? '',
      connect: (signal) => openSocket(address, { signal }),
      begin: (socket) => this.#begin(socket),
      lastingFault: () => (this.#isTakenOver ? takenOver() : null),
      report,
      heartbeat: { intervalMs: timing.pingMs, beat: (socket) => this.#ping(socket) },
      timing: timing.socket,
    });
  }

  /** @throws ParleyError when the first attempt fails */
  start(): Promise<void> {
    return this.#socket.start();
  }

  stop(): Promise<void> {
    this.#closed.abort(new ParleyError('bot_not_running', 'The bot was stopped'));
    return this.#socket.stop();
  }

  /**
   * Sends a frame and waits for its acknowledgement.
   * @returns the body of the acknowledgement
   * @throws DeliveryError, ParleyError `bot_not_running` while there is no connection
   */
  request(cmd: string, body: Body, { reqId, ...options }: RequestOptions = {}): Promise<Body> {
    const id = reqId ?? newId(cmd);
    const before = this.#turns.get(id) ?? Promise.resolve();
    const result = before.then(() => this.#repeated(cmd, body, { reqId: id, ...options }));
    const turn = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#turns.get(id) === turn) this.#turns.delete(id);
      });
    this.#turns.set(id, turn);
    return result;
  }

  async #repeated(cmd: string, body: Body, options: RequestOptions & { reqId: string }): Promise<Body> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#exchange(this.#socket.socket, cmd, body, options);
      } catch (error) {
        if (!isRefusal(error, 'conflict') || attempt === attempts) throw error;
        await pause(this.#options.timing.conflictMs * attempt, this.#closed.signal);
      }
    }
  }

  async #exchange(
    socket: SocketConnection,
    cmd: string,
    body: Body,
    { reqId, isRepeatable = false, timeoutMs = this.#options.timing.ackMs }: RequestOptions & { reqId: string },
  ): Promise<Body> {
    const settle = Promise.withResolvers<Body>();
    settle.promise.catch(() => undefined);
    this.#pending.set(reqId, { socket, settle });
    const unknown = (message: string) => new DeliveryError('unknown', 'platform_failed', message, { isRepeatable });
    try {
      const sent = socket.send(JSON.stringify({ cmd, headers: { req_id: reqId }, body }));
      const answered = sent.then(() => settle.promise);
      const frame = await inTime(answered, timeoutMs, () => {
        throw unknown('WeCom did not acknowledge a frame in time');
      });
      if (frame.errcode === 0) return recordAt(frame, 'body');
      if (typeof frame.errcode === 'number') {
        throw failureOf(frame.errcode, textAt(frame, 'errmsg'), { isRepeatable });
      }
      throw unknown('WeCom acknowledged a frame without a result');
    } catch (error) {
      if (error instanceof DeliveryError && error.kind === 'unknown' && !error.isRepeatable)
        throw unknown(error.message);
      throw error;
    } finally {
      this.#pending.delete(reqId);
    }
  }

  async #begin(socket: SocketConnection): Promise<void> {
    socket.onMessage((data) => this.#onFrame(socket, data));
    void socket.closed.then(() => this.#forget(socket));
    const { BotId, Secret } = this.#options.settings;
    try {
      const body = { bot_id: BotId.trim(), secret: Secret.trim() };
      await this.#exchange(socket, 'aibot_subscribe', body, { reqId: newId('aibot_subscribe') });
    } catch (error) {
      throw startFailure(error);
    }
  }

  #ping(socket: SocketConnection): void {
    const frame = { cmd: 'ping', headers: { req_id: newId('ping') } };
    void socket.send(JSON.stringify(frame)).catch(() => undefined);
  }

  /** Frames whose acknowledgement cannot come any more. */
  #forget(socket: SocketConnection): void {
    for (const { socket: used, settle } of this.#pending.values()) {
      if (used !== socket) continue;
      settle.reject(new DeliveryError('unknown', 'platform_failed', 'The connection ended before WeCom answered'));
    }
  }

  #onFrame(socket: SocketConnection, data: string | Uint8Array): void {
    const frame = frameOf(data);
    if (frame === null) {
      this.#options.logger.warn({}, 'a frame of WeCom is not JSON');
      return;
    }
    const reqId = textAt(recordAt(frame, 'headers'), 'req_id');
    const cmd = textAt(frame, 'cmd');
    if (cmd === 'aibot_msg_callback' || cmd === 'aibot_event_callback') {
      const body = recordAt(frame, 'body');
      if (textAt(recordAt(body, 'event'), 'eventtype') !== 'disconnected_event') this.#options.take(body, reqId);
      else {
        // Only the newest connection counts: another attempt would end that of the other program.
        this.#isTakenOver = true;
        socket.close(1000);
      }
    } else this.#pending.get(reqId)?.settle.resolve(frame);
  }
}

function takenOver(): ParleyError {
  return new ParleyError(
    'invalid_request',
    'Another program connected with this bot ID, and WeCom ended this connection. Disconnect that program, then save this bot or enable it again.',
  );
}

function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID()}`;
}

/** Null for what is no JSON object. Control characters have been seen inside of texts, where JSON has none. */
function frameOf(data: string | Uint8Array): Body | null {
  const text = typeof data === 'string' ? data : Buffer.from(data).toString();
  for (const candidate of [text, text.replace(/\p{Cc}/gu, '')]) {
    try {
      const value: unknown = JSON.parse(candidate);
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null;
    } catch {
      // The other spelling may be right.
    }
  }
  return null;
}
