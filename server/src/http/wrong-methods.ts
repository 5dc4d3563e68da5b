import { ParleyError } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers 405 to unsupported methods of existing paths, whatever the request contains. A route for each of them would
 * do the same, and use three megabytes.
 */
export function answerWrongMethods(server: FastifyInstance): void {
  // The server's router tells whether a path has a method, but not which methods a path has.
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
    // The wildcard of the console's pages matches everything else.
    const isUnknown = request.is404 || request.routeOptions.url === '/*';
    if (!isUnknown || !methods.includes(request.method)) return done();
    const [path = ''] = request.url.split('?');
    const found = router.find('GET', path);
    if (found === null) return done();
    const allowed = [...(found.store as Set<string>)].sort().join(', ');
    reply.header('allow', allowed);
    done(new ParleyError('method_not_allowed', `Only ${allowed} here`));
  });
}
