import { setTimeout as delay } from 'node:timers/promises';
import { ParleyError, type PlatformContext, type SocketConnection } from '@parley/sdk';
import { SupervisedSocket } from '../../kit/sockets/supervised-socket.ts';
import { objectOf, textOf } from '../../lib/loose-values.ts';
import { type DingTalkApi, messageTopic } from './dingtalk-api.ts';
import { startFailure } from './failure.ts';
import type { Timing } from './timing.ts';

export interface StreamClientOptions {
  api: DingTalkApi;
  context: Pick<PlatformContext, 'openSocket' | 'logger' | 'bot_uuid' | 'reportConnection'>;
  /** Stores a message. @throws when it should be delivered again */
  take(data: string): Promise<void>;
  timing: Timing;
}

/** What a frame carries. */
interface Frame {
  type: string;
  topic: string;
  headers: Record<string, unknown>;
  data: string;
}

/**
 * Receives messages over a websocket, whose address DingTalk gives for one use. It delivers a message that was not
 * acknowledged once more, on any connection of the app.
 * @see https://open.dingtalk.com/document/direction/stream-mode-protocol-access-description
 */
export class StreamClient {
  readonly #options: StreamClientOptions;
  readonly #socket: SupervisedSocket;
  /** Messages that are being stored. */
  readonly #pending = new Set<Promise<void>>();

  constructor(options: StreamClientOptions) {
    this.#options = options;
    const { api, context, timing } = options;
    this.#socket = new SupervisedSocket({
      host: api.host,
      connect: (signal) => this.#connect(signal),
      begin: async (socket) => {
        socket.onMessage((data) => void this.#onFrame(socket, frameOf(data)));
      },
      report: (report) => context.reportConnection(report),
      heartbeat: { intervalMs: timing.pingMs, beat: (socket) => socket.ping() },
      timing: timing.socket,
    });
  }

  /** @throws ParleyError when the first attempt fails */
  start(): Promise<void> {
    return this.#socket.start();
  }

  /** Ends the connection once what it delivered is acknowledged, or after a time. */
  async stop(): Promise<void> {
    await this.#drained(this.#options.timing.stopMs);
    await this.#socket.stop();
  }

  async #connect(signal: AbortSignal): Promise<SocketConnection> {
    const { api, context } = this.#options;
    try {
      return await context.openSocket(await api.openConnection(), { signal });
    } catch (error) {
      throw startFailure(error);
    }
  }

  async #onFrame(socket: SocketConnection, frame: Frame): Promise<void> {
    switch (frame.type) {
      case 'SYSTEM':
        if (frame.topic === 'ping') await answer(socket, frame.headers, frame.data);
        else if (frame.topic === 'disconnect') await this.#renew(socket);
        return;
      case 'EVENT':
        return acknowledge(socket, frame, { status: 'SUCCESS' });
      case 'CALLBACK':
        return this.#onCallback(socket, frame);
    }
  }

  async #onCallback(socket: SocketConnection, frame: Frame): Promise<void> {
    const work = frame.topic === messageTopic ? this.#options.take(frame.data) : Promise.resolve();
    const done = work.then(
      () => acknowledge(socket, frame, { response: null }),
      (error: unknown) => {
        const { logger, bot_uuid } = this.#options.context;
        logger.warn({ bot: bot_uuid, error }, 'a message was not stored; DingTalk delivers it again');
      },
    );
    this.#pending.add(done);
    await done.finally(() => this.#pending.delete(done));
  }

  /** Replaces a connection that DingTalk is about to end, once what it delivered is acknowledged. */
  async #renew(socket: SocketConnection): Promise<void> {
    await this.#drained(this.#options.timing.drainMs);
    if (this.#isCurrent(socket)) this.#socket.reconnect();
  }

  #isCurrent(socket: SocketConnection): boolean {
    try {
      return this.#socket.socket === socket;
    } catch (error) {
      if (error instanceof ParleyError) return false;
      throw error;
    }
  }

  async #drained(patienceMs: number): Promise<void> {
    if (this.#pending.size === 0) return;
    const patience = new AbortController();
    const late = delay(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#pending), late]);
    patience.abort();
  }
}

function acknowledge(socket: SocketConnection, { headers }: Frame, data: object): Promise<void> {
  const { messageId } = headers;
  return answer(socket, { messageId, contentType: 'application/json' }, JSON.stringify(data));
}

/** On a connection that ended, nothing is lost: the message comes again. */
async function answer(socket: SocketConnection, headers: object, data: string): Promise<void> {
  await socket.send(JSON.stringify({ code: 200, headers, message: 'OK', data })).catch(() => undefined);
}

/** One that cannot be read has no type. */
function frameOf(given: string | Uint8Array): Frame {
  try {
    const { type, headers, data } = objectOf(JSON.parse(typeof given === 'string' ? given : ''));
    const named = objectOf(headers);
    return { type: textOf(type), topic: textOf(named.topic), headers: named, data: textOf(data) };
  } catch {
    return { type: '', topic: '', headers: {}, data: '' };
  }
}
