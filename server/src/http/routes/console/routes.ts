import fastifyStatic from '@fastify/static';
import { ParleyError } from '@parley/sdk';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteOptions } from '../route-services.ts';
import { type ConsolePage, isNavigation } from './page.ts';

/** Paths of programs: unknown ones are answered as JSON. */
const notPages = /^\/(api|v1|cited|plugin-pages)(\/|$)/;
/** Paths below which programs and people look: unknown ones are a page for browsers, and JSON for all others. */
const sharedPaths = /^\/(bots|docs|healthz|readyz|metrics)(\/|$)/;

/** The console: its files, and its page under every other path. */
export async function consoleRoutes(
  server: TypedServer,
  { consoleDirectory }: Pick<RouteOptions, 'consoleDirectory'>,
  page: ConsolePage,
) {
  await server.register(async (scope) => {
    if (consoleDirectory !== null) {
      await scope.register(fastifyStatic, {
        root: consoleDirectory,
        serve: false,
        cacheControl: false,
        // The build creates a compressed copy of each asset.
        preCompressed: true,
      });
    }
    scope.get('/*', { config: { access: 'open' }, schema: { hide: true } }, async (request, reply) => {
      const path = (request.params as { '*': string })['*'];
      if (notPages.test(`/${path}`) || (sharedPaths.test(`/${path}`) && !isNavigation(request)))
        throw new ParleyError('not_found', 'Not found');
      if (consoleDirectory !== null && path.startsWith('assets/')) {
        // The name of a built file contains the hash of its content.
        return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(path);
      }
      if (consoleDirectory !== null && /\.[a-z0-9]+$/.test(path) && path !== 'index.html') return reply.sendFile(path);
      return page.send(reply);
    });
  });
}
