import { answers, Nothing, success } from '../../envelope.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import { CreateWebhook, UpdateWebhook, WebhookAnswer, WebhookList, WebhookParams } from './schema.ts';

const tags = ['webhooks'];
/** What leaves the server is for those to decide who answer for it. */
const access = { credential: 'either', scope: 'admin' } as const;
const readOnly = ['id', 'created_at', 'updated_at'];

export async function webhookRoutes(server: TypedServer, { webhooks }: Pick<RouteServices, 'webhooks'>) {
  server.get(
    '/api/v1/webhooks',
    {
      config: { access },
      schema: { tags, summary: 'List outgoing webhooks', response: answers(WebhookList, 401, 403) },
    },
    async () => success({ webhooks: await webhooks.list() }),
  );

  server.post(
    '/api/v1/webhooks',
    {
      config: { access, audit: 'webhook.create', readOnly },
      schema: {
        tags,
        summary: 'Create an outgoing webhook',
        description: 'The record is kept; nothing is sent to its address yet.',
        body: CreateWebhook,
        response: answers(WebhookAnswer, 400, 401, 403),
      },
    },
    async (request) => success({ webhook: await webhooks.create(request.body) }),
  );

  server.get(
    '/api/v1/webhooks/:id',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Read an outgoing webhook',
        params: WebhookParams,
        response: answers(WebhookAnswer, 401, 403, 404),
      },
    },
    async (request) => success({ webhook: await webhooks.get(request.params.id) }),
  );

  server.put(
    '/api/v1/webhooks/:id',
    {
      config: { access, audit: 'webhook.update', readOnly },
      schema: {
        tags,
        summary: 'Change an outgoing webhook',
        params: WebhookParams,
        body: UpdateWebhook,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async (request) => {
      await webhooks.update(request.params.id, request.body);
      return success({});
    },
  );

  server.delete(
    '/api/v1/webhooks/:id',
    {
      config: { access, audit: 'webhook.delete' },
      schema: {
        tags,
        summary: 'Delete an outgoing webhook',
        params: WebhookParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => {
      await webhooks.delete(request.params.id);
      return success({});
    },
  );
}
