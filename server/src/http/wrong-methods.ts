import { ParleyError } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Makes paths that exist answer 405 to the methods they do not have, whatever the request holds. A route for each of
 * them would do the same, and take three megabytes.
 */
export function answerWrongMethods(server: FastifyInstance): void {
  // The server's own router tells whether a path has a method, and not which methods a path has.
  const router = createRouter();
  const methodsOf = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const taken = methodsOf.get(url) ?? new Set();
    if (taken.size === 0) router.on('GET' as HTTPMethod, url, () => undefined, taken);
    for (const each of [method].flat()) taken.add(each);
    methodsOf.set(url, taken);
  });
  server.addHook('onRequest', (request, reply, done) => {
    // What the console's pages are served under takes whatever is left.
    const isUnknown = request.is404 || request.routeOptions.url === '/*';
    if (!isUnknown || !methods.includes(request.method)) return done();
    const found = router.find('GET', request.url.split('?')[0] as string);
    if (found === null) return done();
    const allowed = [...(found.store as Set<string>)].sort().join(', ');
    reply.header('allow', allowed);
    done(new ParleyError('method_not_allowed', `Only ${allowed} here`));
  });
}
