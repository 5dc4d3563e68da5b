import type { IncomingMessage } from 'node:http';
import type { SocketConnection } from '@parley/sdk';
import { type WebSocket, WebSocketServer } from 'ws';
import { closing, longestMessage, serviceRestart, socketConnection } from './socket-connection.ts';

export interface SocketServerOptions {
  /** Longest message, bytes. Default 16 MiB. */
  maximumBytes?: number;
  /** Time between two pings, milliseconds. A socket that did not answer the last one is ended. Default 30 000. */
  pingIntervalMs?: number;
}

/** Opens the websockets that platforms request, after someone else has decided to accept them. */
export class SocketServer {
  readonly #server: WebSocketServer;
  readonly #pingInterval: number;
  readonly #alive = new WeakSet<WebSocket>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ maximumBytes = longestMessage, pingIntervalMs = 30_000 }: SocketServerOptions = {}) {
    this.#server = new WebSocketServer({ noServer: true, maxPayload: maximumBytes, ...closing });
    this.#pingInterval = pingIntervalMs;
  }

  /**
   * Completes the handshake of an upgrade request.
   * @param head what came with the request after its headers
   * @param take gets the socket; not called when the handshake is invalid, which is answered with 400
   */
  upgrade(request: IncomingMessage, head: Buffer, take: (socket: SocketConnection) => void): void {
    this.#server.handleUpgrade(request, request.socket, head, (socket) => {
      // A broken connection closes, which the adapter notices.
      socket.on('error', () => {});
      this.#watch(socket);
      take(socketConnection(socket));
    });
  }

  /** Ends all sockets, in a few seconds, and opens no more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const closed = [...this.#server.clients].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()).close(serviceRestart)),
    );
    this.#server.close();
    await Promise.all(closed);
  }

  #watch(socket: WebSocket): void {
    this.#alive.add(socket);
    for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, () => this.#alive.add(socket));
    this.#timer ??= setInterval(() => this.#ping(), this.#pingInterval).unref();
  }

  #ping(): void {
    for (const socket of this.#server.clients) {
      if (!this.#alive.delete(socket)) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    }
  }
}
