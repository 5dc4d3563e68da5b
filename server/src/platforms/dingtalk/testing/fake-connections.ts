import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';

const pingData = JSON.stringify({ opaque: 'a value to give back' });

export interface FakeConnectionsOptions {
  /** How long an acknowledgement is waited for, milliseconds. */
  patienceMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** A connection can be used. */
  opened(): void;
  violated(what: string): void;
}

/** A frame to a client. */
export interface FakeFrame {
  specVersion: string;
  type: 'SYSTEM' | 'CALLBACK';
  headers: Record<'appId' | 'connectionId' | 'contentType' | 'messageId' | 'time' | 'topic', string>;
  data: string;
}

/** The stream connections of one app. */
export class FakeConnections {
  /** Frames that clients answered. */
  answers = 0;
  readonly #options: FakeConnectionsOptions;
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #silent = new WeakSet<WebSocket>();
  /** Those that answered a ping. */
  readonly #alive = new WeakSet<WebSocket>();
  readonly #acknowledgements = new Map<string, () => void>();

  constructor(options: FakeConnectionsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#server.clients.size;
  }

  /** The newest connection that is not silent. */
  get audible(): WebSocket | undefined {
    const isAudible = (one: WebSocket) => !this.#silent.has(one) && one.readyState === WebSocket.OPEN;
    return [...this.#server.clients].findLast(isAudible);
  }

  /** @param isSilent it gets no messages, and no answers */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, isSilent: boolean): void {
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => undefined);
      if (isSilent) this.#silent.add(opened);
      else this.#begin(opened);
    });
  }

  silence(): void {
    for (const socket of this.#server.clients) this.#silent.add(socket);
  }

  terminate(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  frame(type: FakeFrame['type'], data: string, topic = '/v1.0/im/bot/messages/get'): FakeFrame {
    const headers = {
      appId: 'app',
      connectionId: 'connection',
      contentType: 'application/json',
      messageId: crypto.randomUUID(),
      time: String(this.#options.now()),
      topic,
    };
    return { specVersion: '1.0', type, headers, data };
  }

  ping(): FakeFrame {
    return this.frame('SYSTEM', pingData, 'ping');
  }

  /** Delivers a message. @returns whether it was acknowledged */
  async push(data: Record<string, unknown>): Promise<boolean> {
    const socket = this.audible;
    if (socket === undefined) return false;
    const frame = this.frame('CALLBACK', JSON.stringify(data));
    const { messageId } = frame.headers;
    const acknowledged = new Promise<boolean>((resolve) => this.#acknowledgements.set(messageId, () => resolve(true)));
    const over = new AbortController();
    const ended = once(socket, 'close', { signal: over.signal }).then(() => false);
    const late = delay(this.#options.patienceMs, false, { signal: over.signal });
    for (const one of [ended, late]) one.catch(() => undefined);
    socket.send(JSON.stringify(frame));
    const result = await Promise.race([acknowledged, ended, late]);
    over.abort();
    this.#acknowledgements.delete(messageId);
    return result;
  }

  #begin(socket: WebSocket): void {
    socket.on('ping', (data) => this.#silent.has(socket) || socket.pong(data));
    const ping = this.ping();
    socket.on('message', (data: Buffer) => this.#silent.has(socket) || this.#onAnswer(socket, data.toString(), ping));
    const frames = [this.frame('SYSTEM', '{}', 'CONNECTED'), this.frame('SYSTEM', '{}', 'REGISTERED'), ping];
    for (const frame of frames) socket.send(JSON.stringify(frame));
    this.#options.opened();
  }

  #onAnswer(socket: WebSocket, text: string, ping: FakeFrame): void {
    const { violated } = this.#options;
    this.answers += 1;
    const { code, headers, data } = JSON.parse(text);
    const acknowledge = this.#acknowledgements.get(headers?.messageId);
    if (code !== 200) violated(`an answer with the code ${code}`);
    if (headers?.messageId === ping.headers.messageId) {
      if (data !== ping.data) violated('a ping was answered with other data');
      this.#alive.add(socket);
    } else if (acknowledge !== undefined && !this.#alive.has(socket)) {
      violated('a ping was not answered before a message that came after it');
    }
    acknowledge?.();
  }
}
