import { randomBytes } from 'node:crypto';
import { DeliveryError, type SocketConnection } from '@parley/sdk';
import type { RawData, WebSocket } from 'ws';

/** Longest message of a websocket of a platform, bytes. */
export const longestMessage = 16_777_216;
/** Close code of a server that stops: the other side may connect again, to another replica at once. */
export const serviceRestart = 1012;
/** How long the other side may take to close, milliseconds. Then the connection is ended without it. */
export const closing = { closeTimeout: 2000 };

/** A websocket as adapters use it, whichever side opened it. */
export function socketConnection(socket: WebSocket): SocketConnection {
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  socket.on('close', (code, reason) => closed.resolve({ code, reason: reason.toString() }));
  return {
    send: (data) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== socket.OPEN) {
          reject(new DeliveryError('not_sent', 'platform_failed', 'The connection is closed'));
          return;
        }
        socket.send(data, (error) => {
          if (error == null) resolve();
          else reject(new DeliveryError('unknown', 'platform_failed', 'The connection ended', { cause: error }));
        });
      }),
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    roundTrip: async () => {
      if (socket.readyState !== socket.OPEN) return;
      const sent = randomBytes(8);
      const answered = Promise.withResolvers<void>();
      const read = (data: Buffer) => {
        if (data.equals(sent)) answered.resolve();
      };
      socket.on('pong', read);
      socket.ping(sent);
      await Promise.race([answered.promise, closed.promise]);
      socket.off('pong', read);
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    onMessage: (listener) => {
      socket.on('message', (data, isBinary) => listener(isBinary ? bytesOf(data) : bytesOf(data).toString()));
    },
    onActivity: (listener) => {
      for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, listener);
    },
    closed: closed.promise,
  };
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
