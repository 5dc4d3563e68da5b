import type { ServerResponse } from 'node:http';
import type { WebhookRequest } from '@parley/sdk';
import { ParleyError, type Reason } from '@parley/sdk';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Bot } from '../../../core/bots/bot.ts';
import { errorAnswer } from '../../error-mapping.ts';
import { isForeignOrigin } from '../../host-guard.ts';
import { type ConsolePage, isBotPage } from '../console/page.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteOptions, RouteServices } from '../route-services.ts';
import { takeSockets } from './sockets.ts';

/** Statuses that platforms know from the reference system, or that make them retry. */
const statuses: Partial<Record<Reason, number>> = { bot_disabled: 403, bot_not_running: 503 };

/** Webhooks and websockets of platforms. No part of a body is parsed before the bot's adapter has verified it. */
export async function inboundWebhookRoutes(
  server: TypedServer,
  { botWebhooks, socketServer, leaving }: Pick<RouteServices, 'botWebhooks' | 'socketServer' | 'leaving'>,
  { publicUrl }: Pick<RouteOptions, 'publicUrl'>,
  page: ConsolePage,
) {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.decorateRequest('sentContentType', undefined);
    scope.decorateRequest('webhookBot', null);
    scope.decorateRequest('webhookWritten', null);
    // The pages of bots in the console have the same paths.
    scope.addHook('onRequest', async (request, reply) => {
      if (!request.ws && request.routeOptions.url === '/bots/:bot_uuid' && isBotPage(request)) return page.send(reply);
    });
    // Before the body is read, because these URLs are public.
    scope.addHook('onRequest', async (request) => {
      if (!request.ws) request.webhookBot = await botWebhooks.find(botOf(request));
    });
    takeSockets(scope, {
      accept: (request) => {
        if (isForeignOrigin(request, publicUrl)) {
          throw new ParleyError('foreign_origin', 'Pages of browsers cannot connect here');
        }
        const { path, query, headers } = asReceived(request);
        return botWebhooks.acceptSocket(botOf(request), { path, query, headers });
      },
      socketServer,
      leaving,
    });
    scope.addHook('onRequest', (request, _reply, done) => {
      const { headers } = request;
      request.sentContentType = headers['content-type'];
      // An invalid content type would otherwise be rejected before the adapter verifies the body.
      if (headers['content-type'] !== undefined) headers['content-type'] = 'application/octet-stream';
      done();
    });
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      // What is written now is not the response of the adapter.
      request.webhookWritten?.(false);
      return refuse(error, request, reply);
    });

    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.webhookBot === null) throw new Error('the bot is found before the request is handled');
      const { status, content_type, body, onWritten } = await botWebhooks.handle(
        request.webhookBot,
        asReceived(request),
      );
      request.webhookWritten = onWritten;
      watchWriting(reply.raw, onWritten);
      return reply.code(status).header('cache-control', 'no-store').type(content_type).serializer(String).send(body);
    };
    for (const url of ['/bots/:bot_uuid', '/bots/:bot_uuid/*']) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        exposeHeadRoute: false,
        config: { access: 'open', audit: false, upgrades: true },
        // Called by platforms, in their own formats; not meant for API clients.
        schema: { hide: true },
        handler,
      });
    }
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The original content type of a webhook request. */
    sentContentType: string | undefined;
    /** The bot of a webhook request. */
    webhookBot: Bot | null;
    /** Tells the adapter whether its response was written; null before there is one. */
    webhookWritten: ((wasWritten: boolean) => void) | null;
  }
}

/** Tells whether all of a response was handed to the network. The first call counts. */
function watchWriting(response: ServerResponse, written: (wasWritten: boolean) => void): void {
  response.once('finish', () => written(true));
  response.once('close', () => written(false));
  if (response.destroyed) written(false);
}

function botOf(request: FastifyRequest): string {
  return (request.params as { bot_uuid: string }).bot_uuid;
}

function asReceived(request: FastifyRequest): WebhookRequest {
  const path = (request.params as { '*'?: string })['*'] ?? '';
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: path.replace(/^\/+|\/+$/g, ''),
    query: texts(request.query as Record<string, string | string[]>, ([first = '']) => first),
    headers: texts({ ...request.headers, 'content-type': request.sentContentType }, (values) => values.join(', ')),
    body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
  };
}

function texts(fields: Record<string, string | string[] | undefined>, join: (values: string[]) => string) {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, join([value ?? []].flat())]));
}

/** Platforms read `error`; the other fields are those of every error. */
function refuse(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const answer = errorAnswer(error, request.id);
  if (answer.status >= 500 && !(error instanceof ParleyError)) {
    request.log.error({ err: error, request_id: request.id }, 'unexpected fault');
  }
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
  return reply
    .code(statuses[answer.body.reason] ?? answer.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({ error: answer.body.msg, ...answer.body });
}
