import type { FastifyInstance } from 'fastify';

/** Largest body on routes of accounts, bytes: names, passwords and keys, from anybody. */
const bodyLimit = 16 * 1024;
const prefix = '/api/v1/user/';

/** Takes small bodies only where people sign in and change their accounts. Routes must be registered afterwards. */
export function limitAccountBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith(prefix)) route.bodyLimit ??= bodyLimit;
  });
}
