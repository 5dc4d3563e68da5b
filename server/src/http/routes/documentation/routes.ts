import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteOptions } from '../route-services.ts';

/** The files of Swagger UI that the page uses. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const page = (basePath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">
</head>
<body>
<div id="documentation"></div>
<script src="${basePath}/docs/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/show.js"></script>
</body>
</html>
`;

const script = (basePath: string) => `SwaggerUIBundle({
  url: '${basePath}/api/v1/openapi.json',
  dom_id: '#documentation',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** Swagger UI draws with inline styles and images. */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

/** The API description and a page to browse it. */
export async function documentationRoutes(
  server: TypedServer,
  { openApiFile, basePath }: Pick<RouteOptions, 'openApiFile' | 'basePath'>,
) {
  server.get('/api/v1/openapi.json', { config: { access: 'open' }, schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .serializer(String)
      .send((await readFile(openApiFile, 'utf8')) as never),
  );

  const html = page(basePath);
  server.get('/docs', { config: { access: 'open' }, schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(html as never),
  );

  const show = script(basePath);
  server.get('/docs/show.js', { config: { access: 'open' }, schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .serializer(String)
      .send(show as never),
  );

  const directory = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static');
  await server.register(async (scope) => {
    await scope.register(fastifyStatic, { root: directory, serve: false, decorateReply: true, cacheControl: false });
    for (const asset of assets) {
      scope.get(`/docs/${asset}`, { config: { access: 'open' }, schema: { hide: true } }, (_request, reply) =>
        reply.header('cache-control', 'public, max-age=3600').sendFile(asset),
      );
    }
  });
}
