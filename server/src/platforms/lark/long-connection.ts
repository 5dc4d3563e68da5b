import {
  type ConnectionReport,
  type Logger,
  ParleyError,
  type PlatformContext,
  type SocketConnection,
} from '@parley/sdk';
import { SupervisedSocket } from '../../kit/sockets/supervised-socket.ts';
import type { LarkSettings } from './config.ts';
import { isUnauthorized, LarkFailure } from './failure.ts';
import { decodeFrame, encodeFrame, type Frame } from './frame.ts';
import type { LarkApi } from './lark-api.ts';
import { Payloads } from './payloads.ts';
import type { Timing } from './timing.ts';

export interface LongConnectionOptions {
  api: LarkApi;
  settings: Pick<LarkSettings, 'app_id' | 'app_secret'>;
  openSocket: PlatformContext['openSocket'];
  /** Stores what an event brings. @throws when it should come again */
  take(event: unknown): Promise<void>;
  report(report: ConnectionReport): void;
  logger: Logger;
  /** Address of the API, whose attempts are paced. */
  address: string;
  timing: Timing;
}

/** Codes of the endpoint after which no further attempt makes sense: no permission, wrong credentials. */
const refusedCodes = [403, 514];

/** Receives events over a websocket that the bot opens. */
export class LongConnection {
  readonly #options: LongConnectionOptions;
  readonly #socket: SupervisedSocket;
  readonly #payloads = new Payloads();
  #pingMs: number;
  #service = 0;

  constructor(options: LongConnectionOptions) {
    this.#options = options;
    const { timing, report, address } = options;
    this.#pingMs = timing.pingMs;
    const pingMs = () => this.#pingMs;
    this.#socket = new SupervisedSocket({
      host: new URL(address).host,
      connect: (signal) => this.#connect(signal),
      begin: (socket) => this.#begin(socket),
      report,
      heartbeat: {
        get intervalMs() {
          return pingMs();
        },
        beat: (socket) => this.#ping(socket),
      },
      timing: timing.socket,
    });
  }

  /** @throws ParleyError when the first attempt fails */
  start(): Promise<void> {
    return this.#socket.start();
  }

  stop(): Promise<void> {
    return this.#socket.stop();
  }

  async #connect(signal: AbortSignal): Promise<SocketConnection> {
    const { api, settings, openSocket } = this.#options;
    const { url, config } = await this.#endpoint(api, settings);
    this.#configure(config);
    this.#service = Number(URL.parse(url)?.searchParams.get('service_id') ?? 0);
    return openSocket(url, { signal });
  }

  async #endpoint(api: LarkApi, { app_id, app_secret }: LongConnectionOptions['settings']) {
    const json = { AppID: app_id.trim(), AppSecret: app_secret.trim() };
    try {
      const { data } = await api.call({ method: 'POST', path: '/callback/ws/endpoint', json, isRepeatable: true });
      const { URL: url, ClientConfig: config } = data ?? {};
      if (typeof url === 'string') return { url, config };
    } catch (error) {
      if (!(error instanceof LarkFailure)) throw error;
      const isRefused = refusedCodes.includes(error.code) || isUnauthorized(error);
      const reason = isRefused ? 'platform_unauthorized' : 'platform_failed';
      throw new ParleyError(reason, `Lark refuses the long connection: ${error.message}`);
    }
    throw new ParleyError('platform_failed', 'Lark gave no address for the long connection');
  }

  async #begin(socket: SocketConnection): Promise<void> {
    socket.onMessage((data) => {
      if (typeof data !== 'string') void this.#onFrame(socket, data);
    });
    this.#ping(socket);
  }

  #ping(socket: SocketConnection): void {
    const frame = {
      kind: 'control',
      service: this.#service,
      headers: { type: 'ping' },
      payload: new Uint8Array(),
    } as const;
    void socket.send(encodeFrame(frame)).catch(() => undefined);
  }

  /** The platform may change how often it wants to be pinged. */
  #configure(config: unknown): void {
    const { PingInterval: seconds } = (config ?? {}) as { PingInterval?: unknown };
    if (typeof seconds === 'number' && seconds >= 1 && seconds <= 3600) {
      this.#pingMs = Math.min(this.#options.timing.pingMs, seconds * 1000);
    }
  }

  async #onFrame(socket: SocketConnection, bytes: Uint8Array): Promise<void> {
    const { logger } = this.#options;
    try {
      const frame = decodeFrame(bytes);
      if (frame.kind === 'data') await this.#onData(socket, frame);
      else if (frame.headers.type === 'pong' && frame.payload.length > 0) this.#configure(jsonOf(frame.payload));
    } catch (error) {
      logger.warn({ error }, 'a frame of the long connection was not understood');
    }
  }

  async #onData(socket: SocketConnection, frame: Frame): Promise<void> {
    const payload = this.#payloads.add(frame);
    if (payload === null) return;
    const began = performance.now();
    // Cards are not used; their events are only acknowledged.
    const isTaken = frame.headers.type !== 'event' || (await this.#take(jsonOf(payload)));
    const headers = { ...frame.headers, biz_rt: String(Math.round(performance.now() - began)) };
    const answer = Buffer.from(JSON.stringify({ code: isTaken ? 200 : 500 }));
    await socket.send(encodeFrame({ ...frame, headers, payload: answer })).catch(() => undefined);
  }

  /** @returns false when the event should come again */
  async #take(event: unknown): Promise<boolean> {
    try {
      await this.#options.take(event);
      return true;
    } catch (error) {
      this.#options.logger.warn({ error }, 'an event was not stored; the platform sends it again');
      return false;
    }
  }
}

function jsonOf(payload: Uint8Array): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
}
