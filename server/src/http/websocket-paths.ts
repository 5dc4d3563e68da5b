import type { IncomingMessage } from 'node:http';
import type {} from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';

/**
 * Remembers where websockets are. Elsewhere an offer to change the protocol is passed over, as HTTP allows: clients
 * that would rather speak HTTP/2 get their answer, and nobody holds a connection that nothing reads.
 */
export class WebSocketPaths {
  readonly #paths: RegExp[] = [];

  /** To be called before routes are registered. */
  collect(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      if (route.wsHandler !== undefined) this.#paths.push(new RegExp(`^${route.url.replace(/:[^/]+/g, '[^/]+')}$`));
    });
  }

  /** @param path without the base path */
  accepts(request: IncomingMessage, path: string): boolean {
    return (
      request.headers.upgrade?.toLowerCase() === 'websocket' &&
      this.#paths.some((pattern) => pattern.test(path.split('?')[0] ?? ''))
    );
  }
}
