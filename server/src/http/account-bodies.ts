import type { FastifyInstance } from 'fastify';

/** Maximum body size on account routes, bytes: names, passwords and keys, partly from unauthenticated callers. */
const bodyLimit = 16 * 1024;
const prefix = '/api/v1/user/';

/** Limits bodies of account routes. Routes must be registered afterwards. */
export function limitAccountBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith(prefix)) route.bodyLimit ??= bodyLimit;
  });
}
