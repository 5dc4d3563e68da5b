import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';

export interface FakeLinkOptions {
  /** Where the client connects to; null while it is a server itself. */
  target(): string | null;
  token(): string;
  selfId: string;
  /** Roles of the sockets that the client opens. */
  roles: readonly ('Universal' | 'API' | 'Event')[];
  onFrame(text: string, socket: WebSocket): void;
  onOpen(socket: WebSocket, role: string): void;
  /** Serves a file. */
  media(name: string, response: ServerResponse): void;
}

/** Pause before another attempt to connect, milliseconds. */
const retryPause = 20;

/** The sockets of a client: those that it opens, or those to the server that it is. */
export class FakeLink {
  readonly #options: FakeLinkOptions;
  readonly #http: Server;
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  /** Open sockets with their role; those that are silent neither read nor write. */
  readonly open = new Map<WebSocket, string>();
  readonly #silent = new WeakSet<WebSocket>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isAway = false;
  #isClosed = false;
  /** Attempts that are refused before the handshake. */
  unreachable = 0;
  attempts = 0;

  constructor(options: FakeLinkOptions) {
    this.#options = options;
    this.#http = createServer((request, response) => this.#respond(request, response));
    this.#http.on('upgrade', (request, socket, head) => {
      this.attempts += 1;
      if (this.#isAway || this.unreachable > 0) {
        this.unreachable = Math.max(0, this.unreachable - 1);
        return socket.destroy();
      }
      if (request.headers.authorization !== `Bearer ${options.token()}`) {
        return socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      }
      this.#server.handleUpgrade(request, socket, head, (opened) => this.#take(opened, 'Universal'));
    });
  }

  /** @returns the port of the client's own server */
  async listen(): Promise<number> {
    this.#http.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.#http.once('listening', resolve));
    return (this.#http.address() as AddressInfo).port;
  }

  /** Connects for each role, and again whenever a socket ends, as clients do. */
  connectAll(): void {
    for (const role of this.#options.roles) this.#connect(role);
  }

  /** Opens one more socket. @returns null when the other side refuses it */
  async connectOnce(headers: Record<string, string>, query = ''): Promise<WebSocket | null> {
    const target = this.#options.target();
    if (target === null) return null;
    const socket = new WebSocket(`${target}${query}`, { headers, autoPong: false });
    return new Promise((resolve) => {
      socket.on('open', () => {
        this.#take(socket, 'extra');
        resolve(socket);
      });
      socket.on('error', () => resolve(null));
    });
  }

  send(text: string, to?: WebSocket): void {
    const events = [...this.open].filter(([, role]) => role === 'Universal' || role === 'Event');
    const socket = to ?? events.at(0)?.[0];
    if (socket !== undefined && !this.#silent.has(socket)) socket.send(text);
  }

  /** Whether an event would arrive. */
  get isUp(): boolean {
    return [...this.open].some(([socket, role]) => !this.#silent.has(socket) && role !== 'API');
  }

  async up(): Promise<void> {
    while (!this.isUp && !this.#isClosed) await delay(5);
  }

  /** Resolves when the present sockets have ended and there are others. */
  async replaced(): Promise<void> {
    const present = new Set(this.open.keys());
    const isOver = () => this.isUp && [...this.open.keys()].every((socket) => !present.has(socket));
    while (!isOver() && !this.#isClosed) await delay(5);
  }

  silence(): void {
    for (const socket of this.open.keys()) this.#silent.add(socket);
  }

  cut(): void {
    for (const socket of this.open.keys()) socket.terminate();
  }

  setAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (isAway) this.cut();
  }

  headers(role: string): Record<string, string> {
    const { selfId, token } = this.#options;
    return {
      'x-self-id': selfId,
      'x-client-role': role,
      authorization: `Bearer ${token()}`,
      'user-agent': 'OneBot/11',
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.cut();
    this.#http.closeAllConnections();
    if (this.#http.listening) await new Promise((resolve) => this.#http.close(resolve));
  }

  #connect(role: 'Universal' | 'API' | 'Event'): void {
    const target = this.#options.target();
    if (this.#isClosed) return;
    if (this.#isAway || target === null) {
      this.#later(role);
      return;
    }
    this.attempts += 1;
    const socket = new WebSocket(target, { headers: this.headers(role), autoPong: false });
    socket.on('error', () => undefined);
    socket.on('open', () => this.#take(socket, role));
    socket.on('close', () => this.#later(role));
  }

  #later(role: 'Universal' | 'API' | 'Event'): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#connect(role);
    }, retryPause);
    this.#timers.add(timer);
  }

  #take(socket: WebSocket, role: string): void {
    this.open.set(socket, role);
    const whileHeard = (act: () => void) => () => {
      if (!this.#silent.has(socket)) act();
    };
    socket.on('error', () => undefined);
    socket.on('ping', (data) => whileHeard(() => socket.pong(data))());
    socket.on('message', (data) => whileHeard(() => this.#options.onFrame(String(data), socket))());
    socket.on('close', () => this.open.delete(socket));
    if (this.#isClosed || this.#isAway) socket.terminate();
    else this.#options.onOpen(socket, role);
  }

  #respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const [, name] = /^\/media\/([^/?]+)/.exec(url) ?? [];
    if (name === undefined) response.writeHead(404).end();
    else this.#options.media(decodeURIComponent(name), response);
  }
}
