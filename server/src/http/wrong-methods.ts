import { ParleyError } from '@parley/sdk';
import type { FastifyInstance, HTTPMethods } from 'fastify';

const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Makes paths that exist answer 405 to the methods they do not have.
 * @returns to be called after the last route was registered
 */
export function answerWrongMethods(server: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  let collecting = true;
  server.addHook('onRoute', (route) => {
    if (!collecting || route.url.includes('*')) return;
    const taken = known.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) taken.add(method);
    known.set(route.url, taken);
  });
  return () => {
    collecting = false;
    for (const [url, taken] of known) {
      const missing = methods.filter((method) => !taken.has(method));
      if (missing.length === 0) continue;
      const allowed = [...taken].sort().join(', ');
      server.route({
        method: missing,
        url,
        config: { access: 'open', wrongMethod: true },
        schema: { hide: true },
        // Before the body is read: whatever it holds, the answer is the same.
        onRequest: async (_request, reply) => {
          reply.header('allow', allowed);
          throw new ParleyError('method_not_allowed', `Only ${allowed} here`);
        },
        handler: async () => undefined,
      });
    }
  };
}
