import type { RecordListing } from '../../../core/records/record-listing.ts';
import type { Webhook, WebhookFilter } from '../../../core/webhooks/webhook.ts';
import { numberCursor } from '../../cursor.ts';
import { answers, done, Nothing, success } from '../../envelope.ts';
import { bulkRoute, changed, exportRoute, listingOf, numberId } from '../../record-lists.ts';
import { taggedAnswers, withTag } from '../../record-tags.ts';
import type { TypedServer } from '../route-plugin.ts';
import type { RouteServices } from '../route-services.ts';
import {
  CreateWebhook,
  UpdateWebhook,
  WebhookAnswer,
  WebhookDeliveryAnswer,
  WebhookDeliveryPage,
  WebhookDeliveryParams,
  WebhookDeliveryQuery,
  WebhookId,
  WebhookList,
  WebhookParams,
  WebhookQuery,
  WebhookSecret,
  WebhookTestResult,
  webhookFilters,
  webhookOrders,
} from './schema.ts';

/** Admins only: webhooks send data to other servers. */
const access = { credential: 'either', scope: 'admin', role: 'admin' } as const;
const readOnly = ['id', 'secret', 'disabled_reason', 'created_at', 'updated_at'];

export async function webhookRoutes(
  server: TypedServer,
  { webhooks, isServing }: Pick<RouteServices, 'webhooks' | 'isServing'>,
) {
  const many = { url: '/api/v1/webhooks', name: 'outgoing webhooks', access, filters: webhookFilters };

  server.get(
    '/api/v1/webhooks',
    {
      config: { access },
      schema: {
        summary: 'List outgoing webhooks',
        querystring: WebhookQuery,
        response: answers(WebhookList, 400, 401, 403),
      },
    },
    async ({ query }) => {
      const listing = listingOf(query, webhookFilters, numberId);
      if (listing === null) return success({ webhooks: await webhooks.list() });
      const { records, total } = await webhooks.page(listing);
      return success({ webhooks: records, total });
    },
  );

  exportRoute(server, {
    ...many,
    file: 'webhooks',
    idOf: numberId,
    orders: webhookOrders,
    page: (listing: RecordListing & WebhookFilter) => webhooks.page(listing),
    columns: {
      id: ({ id }: Webhook) => id,
      name: ({ name }) => name,
      description: ({ description }) => description,
      url: ({ url }) => url,
      enabled: ({ enabled }) => enabled,
      disabled_reason: ({ disabled_reason }) => disabled_reason,
      created_at: ({ created_at }) => created_at,
      updated_at: ({ updated_at }) => updated_at,
    },
  });

  bulkRoute(server, {
    ...many,
    id: WebhookId,
    isServing,
    targets: (filter: RecordListing & WebhookFilter) => webhooks.names(filter),
    actions: {
      enable: { audit: 'webhook.update', change: (id: number) => webhooks.setEnabled(id, true) },
      disable: { audit: 'webhook.update', change: (id: number) => webhooks.setEnabled(id, false) },
      delete: { audit: 'webhook.delete', change: (id: number) => changed(webhooks.delete(id)) },
    },
  });

  server.post(
    '/api/v1/webhooks',
    {
      // The response contains the secret.
      config: { access, audit: 'webhook.create', readOnly, idempotency: false },
      schema: {
        summary: 'Create an outgoing webhook',
        description: 'The response contains the full signing secret, once.',
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
        summary: 'Read an outgoing webhook',
        params: WebhookParams,
        response: taggedAnswers(WebhookAnswer, 401, 403, 404),
      },
    },
    async (request, reply) => success({ webhook: withTag(reply, await webhooks.tagged(request.params.id)) }),
  );

  server.put(
    '/api/v1/webhooks/:id',
    {
      config: { access, audit: 'webhook.update', readOnly, conditional: true },
      schema: {
        summary: 'Change an outgoing webhook',
        params: WebhookParams,
        body: UpdateWebhook,
        response: answers(Nothing, 400, 401, 403, 404),
      },
    },
    async ({ params, body, expectedTags }) => done(webhooks.update(params.id, body, expectedTags)),
  );

  server.delete(
    '/api/v1/webhooks/:id',
    {
      config: { access, audit: 'webhook.delete' },
      schema: {
        summary: 'Delete an outgoing webhook',
        params: WebhookParams,
        response: answers(Nothing, 401, 403, 404),
      },
    },
    async (request) => done(webhooks.delete(request.params.id)),
  );

  server.post(
    '/api/v1/webhooks/:id/rotate-secret',
    {
      config: { access, audit: 'webhook.rotate-secret', idempotency: false },
      schema: {
        summary: 'Replace the secret of an outgoing webhook; returns the new one, once',
        params: WebhookParams,
        response: answers(WebhookSecret, 401, 403, 404),
      },
    },
    async (request) => success({ secret: await webhooks.rotateSecret(request.params.id) }),
  );

  server.post(
    '/api/v1/webhooks/:id/test',
    {
      config: { access, audit: 'webhook.test' },
      schema: {
        summary: 'Send a signed ping now',
        description: 'Also to a disabled webhook. Returns the result, which is not stored.',
        params: WebhookParams,
        response: answers(WebhookTestResult, 401, 403, 404),
      },
    },
    async (request) => {
      request.auditNote = { attempt: { address: (await webhooks.get(request.params.id)).url } };
      return success(await webhooks.test(request.params.id));
    },
  );

  server.get(
    '/api/v1/webhooks/:id/deliveries',
    {
      config: { access },
      schema: {
        summary: 'Deliveries of an outgoing webhook, newest first',
        params: WebhookParams,
        querystring: WebhookDeliveryQuery,
        response: answers(WebhookDeliveryPage, 400, 401, 403, 404),
      },
    },
    async ({ params, query: { state = null, limit, cursor } }) => {
      const before = cursor === undefined ? null : numberCursor.decode(cursor);
      const { deliveries, next } = await webhooks.deliveries(params.id, state, limit, before);
      return success({ deliveries, next_cursor: next === null ? null : numberCursor.encode(next) });
    },
  );

  server.get(
    '/api/v1/webhooks/:id/deliveries/:delivery_uuid',
    {
      config: { access },
      schema: {
        summary: 'A delivery with its attempts',
        params: WebhookDeliveryParams,
        response: answers(WebhookDeliveryAnswer, 401, 403, 404),
      },
    },
    async ({ params }) => success(await webhooks.delivery(params.id, params.delivery_uuid)),
  );

  server.post(
    '/api/v1/webhooks/:id/deliveries/:delivery_uuid/redeliver',
    {
      config: { access, audit: 'webhook.redeliver' },
      schema: {
        summary: 'Send a delivery again, with the same id',
        params: WebhookDeliveryParams,
        response: answers(Nothing, 401, 403, 404, 409),
      },
    },
    async ({ params }) => done(webhooks.redeliver(params.id, params.delivery_uuid)),
  );
}
