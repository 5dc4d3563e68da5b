import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageAccess } from '../../../core/plugins/pages/page-frames.ts';
import { principalOf, requiredAccessOf, userOf } from '../../access.ts';
import { answers, success } from '../../envelope.ts';
import { whileConnected } from '../../while-connected.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteOptions, RouteServices } from '../route-services.ts';
import { pageFileHeaders, pluginPagesPath } from './page-headers.ts';
import { idOf } from './routes.ts';
import { PluginFrame, PluginPageParams, PluginPageRequest, PluginPageResult } from './schema.ts';

const access = pageAccess;
const path = '/api/v1/plugins/:author/:name/pages/:page';

/** Pages of plugins: the frames that they are shown in, their files, and their requests. */
export async function pluginPageRoutes(
  server: TypedServer,
  {
    pageFrames,
    pageRequests,
    connectedCallers,
  }: Pick<RouteServices, 'pageFrames' | 'pageRequests' | 'connectedCallers'>,
  { basePath, publicUrl }: Pick<RouteOptions, 'basePath' | 'publicUrl'>,
) {
  server.post(
    `${path}/frames`,
    {
      config: { access, audit: false, idempotency: false },
      schema: {
        summary: 'Open a page of a plugin in a frame',
        description: 'Its address holds for an hour, and ends with the sign-in and with the version of the plugin.',
        params: PluginPageParams,
        response: answers(PluginFrame, 401, 403, 404, 409),
      },
    },
    async (request) => {
      const { session } = userOf(request);
      const { token, file, expires_at } = pageFrames.open(idOf(request.params), request.params.page, session.uuid);
      return success({ path: `${pluginPagesPath}/${token}/${file}`, expires_at });
    },
  );

  server.post(
    `${path}/requests`,
    {
      config: { access, audit: 'each', idempotency: false },
      schema: {
        summary: 'Call the handler of a page of a plugin',
        description:
          'The handler gets these fields and no credential. When it fails, the reason is `plugin_failed`, and that of the ' +
          'handler is the message of the detail `reason`.',
        params: PluginPageParams,
        body: PluginPageRequest,
        response: answers(PluginPageResult, 400, 401, 403, 404, 409, 499, 502, 503, 504),
      },
    },
    async (request, reply) => {
      const id = idOf(request.params);
      const { page } = request.params;
      const { endpoint, method = 'GET', body = null } = request.body;
      const signal = await whileSignedIn(request, reply);
      if (method !== 'GET') await request.recordAct('plugin.request-page', id, { page, method, endpoint });
      return success({ result: await pageRequests.call(id, page, { endpoint, method, body }, signal) });
    },
  );

  server.get(
    `${pluginPagesPath}/:token/*`,
    // Files of a document, not part of the API.
    { config: { access: 'open', readsPlugins: true }, schema: { hide: true } },
    async (request, reply) => {
      // The route has these parameters.
      const { token, '*': file } = request.params as { token: string; '*': string };
      const content = await pageFrames.file(token, file);
      const folder = `${basePath}${pluginPagesPath}/${token}/` as const;
      return reply.headers(pageFileHeaders(request, file, { publicUrl, folder })).send(content);
    },
  );

  /** Aborted when the client disconnects or its sign-in ends. */
  async function whileSignedIn(request: FastifyRequest, reply: FastifyReply): Promise<AbortSignal> {
    const ended = new AbortController();
    await connectedCallers.join({
      kind: 'request',
      principal: principalOf(request),
      required: requiredAccessOf(request),
      end: (fault) => ended.abort(fault),
      onClose: (listener) => {
        if (reply.raw.destroyed) listener();
        else reply.raw.once('close', listener);
      },
    });
    return AbortSignal.any([ended.signal, whileConnected(reply)]);
  }
}
