import type { IncomingMessage } from 'node:http';
import type {} from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import type { TakeSocket } from '../../../core/bots/bot-sockets.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { SocketServer } from '../route-services.ts';

export interface SocketRoutes {
  /** @throws ParleyError that refuses a socket, before anything of it is read */
  accept: (request: FastifyRequest) => Promise<TakeSocket>;
  socketServer: SocketServer;
  /** Aborted when platforms have to connect to another replica. */
  leaving: AbortSignal;
}

/**
 * Takes the upgrade requests of a scope. They do not get to the plugin for websockets: it would answer the handshake before
 * the bot has decided, and has the limits for browsers.
 */
export function takeSockets(scope: TypedServer, { accept, socketServer, leaving }: SocketRoutes): void {
  const heads = new WeakMap<IncomingMessage, Buffer>();
  // Before the request is routed.
  scope.server.prependListener('upgrade', (request, _socket, head) => heads.set(request, head));
  scope.addHook('onRequest', async (request, reply) => {
    if (!request.ws) return;
    const take = await accept(request);
    reply.hijack();
    socketServer.upgrade(request.raw, heads.get(request.raw) ?? Buffer.alloc(0), take);
  });
  leaving.addEventListener('abort', () => void socketServer.close());
  scope.addHook('preClose', () => socketServer.close());
}
