import type { IncomingMessage } from 'node:http';
import type {} from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether hooks of the route take upgrade requests themselves. */
    upgrades?: true;
  }
}

/**
 * Stores the paths of websockets. On other paths an upgrade offer is ignored, as HTTP allows: clients that prefer
 * HTTP/2 get their response, and no connection stays open unread.
 */
export class WebSocketPaths {
  readonly #paths: RegExp[] = [];

  /** Must be called before routes are registered. */
  collect(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      if (route.wsHandler === undefined && route.config?.upgrades !== true) return;
      this.#paths.push(new RegExp(`^${route.url.replace(/:[^/]+/g, '[^/]+').replace('*', '.*')}$`));
    });
  }

  /** @param path without the base path */
  accepts(request: IncomingMessage, path: string): boolean {
    return (
      request.method === 'GET' &&
      request.headers.upgrade?.toLowerCase() === 'websocket' &&
      this.#paths.some((pattern) => pattern.test(path.split('?')[0] ?? ''))
    );
  }
}
