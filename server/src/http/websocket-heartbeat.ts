import type {} from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';

/** Close code of a server that stops: clients may connect again, to another replica at once. */
const serviceRestart = 1012;
/** Ping interval, milliseconds. */
const interval = 30_000;

/** Pings every websocket, and disconnects those that have not answered the previous ping. */
export function pingWebSockets(server: FastifyInstance): void {
  const { websocketServer } = server;
  const alive = new WeakSet<WebSocket>();
  websocketServer.on('connection', (socket) => {
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
  });
  const timer = setInterval(() => {
    for (const socket of websocketServer.clients) {
      if (!alive.delete(socket)) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    }
  }, interval).unref();
  server.addHook('preClose', (done) => {
    clearInterval(timer);
    done();
  });
}

/**
 * Closes every websocket when clients have to connect to another replica, and before the server closes. Call it before the
 * plugin for websockets is registered, which closes them without a reason.
 */
export function closeWebSockets(server: FastifyInstance, leaving: AbortSignal): void {
  const close = () => {
    for (const socket of server.websocketServer.clients) socket.close(serviceRestart);
  };
  leaving.addEventListener('abort', close);
  server.addHook('preClose', (done) => {
    close();
    done();
  });
}
