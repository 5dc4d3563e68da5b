import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { iconOf } from '../../../core/icons/icon-of.ts';
import { IconAnswer } from '../../icon-answer.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { idOf } from './routes.ts';
import { PluginAssetParams, PluginParams } from './schema.ts';

/** Types of files that a browser may show; others are downloads. */
const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};
const icons = Object.keys(mediaTypes).flatMap((extension) => [`icon.${extension}`, `assets/icon.${extension}`]);

const bytes = { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) };
const AssetAnswer = {
  description: 'The file.',
  content: {
    'application/octet-stream': bytes,
    ...Object.fromEntries(Object.values(mediaTypes).map((type) => [type, bytes])),
  },
};
const PluginIconAnswer = { ...IconAnswer, content: { ...AssetAnswer.content, ...IconAnswer.content } };

/** Files of plugins, for pages that send no credential: only what its author put in place for that. */
export async function pluginFileRoutes(server: TypedServer, { plugins }: Pick<RouteServices, 'plugins'>) {
  server.get(
    '/api/v1/plugins/:author/:name/icon',
    {
      config: { access: 'open', readsPlugins: true },
      schema: {
        summary: 'The icon of a plugin',
        params: PluginParams,
        response: { 200: PluginIconAnswer, 404: Type.Ref('ErrorResponse'), 409: Type.Ref('ErrorResponse') },
      },
    },
    async ({ params }, reply) => {
      const id = idOf(params);
      const { manifest } = plugins.get(id).plugin.installed;
      const path = icons.find((one) => Object.hasOwn(manifest.files, one));
      const content =
        path === undefined ? Buffer.from(await iconOf({ label: manifest.label })) : await plugins.file(id, path);
      return send(reply, path ?? 'icon.svg', content);
    },
  );

  server.get(
    '/api/v1/plugins/:author/:name/assets/:file',
    {
      config: { access: 'open', readsPlugins: true },
      schema: {
        summary: 'A file in the folder `assets` of a plugin',
        params: PluginAssetParams,
        response: { 200: AssetAnswer, 404: Type.Ref('ErrorResponse'), 409: Type.Ref('ErrorResponse') },
      },
    },
    async ({ params }, reply) => {
      const path = `assets/${params.file}`;
      return send(reply, path, await plugins.file(idOf(params), path));
    },
  );
}

/** Opened as a document, a file can execute nothing. An update may replace it, so it is asked for again. */
function send(reply: FastifyReply, path: string, content: Buffer) {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const type = Object.hasOwn(mediaTypes, extension) ? mediaTypes[extension] : undefined;
  return reply
    .header('cache-control', 'public, max-age=0, must-revalidate')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', type === undefined ? 'attachment' : 'inline')
    .type(type ?? 'application/octet-stream')
    .send(content as never);
}
