import type {} from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';

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
