import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { ParleyError } from '@parley/sdk';
import { pageSecurityPolicy } from '../../security-headers.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteOptions } from '../route-services.ts';

/** Paths that never show the page: unknown ones are answered as JSON. */
const notPages = /^\/(api|v1|bots|cited|docs|healthz|readyz|metrics)(\/|$)/;

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley</title>
<p>The console is not built. <code>npm start</code> builds it; the API works without it.</p></html>`;

/** The console: its files, and its page under every other path. */
export async function consoleRoutes(
  server: TypedServer,
  { consoleDirectory, basePath }: Pick<RouteOptions, 'consoleDirectory' | 'basePath'>,
) {
  const page = consoleDirectory === null ? notBuilt : pageOf(consoleDirectory, basePath);
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
      if (notPages.test(`/${path}`)) throw new ParleyError('not_found', 'Not found');
      if (consoleDirectory !== null && path.startsWith('assets/')) {
        // The name of a built file contains the hash of its content.
        return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(path);
      }
      if (consoleDirectory !== null && /\.[a-z0-9]+$/.test(path) && path !== 'index.html') return reply.sendFile(path);
      return reply
        .header('content-security-policy', pageSecurityPolicy)
        .type('text/html; charset=utf-8')
        .serializer(String)
        .send(page);
    });
  });
}

/** The page with links relative to the base path. */
function pageOf(directory: string, basePath: string): string {
  return readFileSync(join(directory, 'index.html'), 'utf8').replace(
    /<base href="\/"\s*\/?>/,
    `<base href="${basePath}/">`,
  );
}
