import type { components, paths, Tagged } from '@parley/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { DeliveryState } from './routes.ts';

export type Webhook = components['schemas']['Webhook'];
export type Delivery = components['schemas']['WebhookDelivery'];

type WebhooksQuery = NonNullable<paths['/api/v1/webhooks']['get']['parameters']['query']>;
/** The filters of the list, as the API takes them. */
export type WebhookFilter = Pick<WebhooksQuery, 'search' | 'enabled'>;

/** A page of the list. */
export function webhooksPageQuery(query: WebhooksQuery) {
  return queryOptions({
    queryKey: ['webhooks', 'page', query],
    queryFn: async () => {
      const { webhooks: rows, total = rows.length } = await api.get('/api/v1/webhooks', { params: { query } });
      return { rows, total };
    },
    placeholderData: keepPreviousData,
  });
}

export async function readWebhook(id: number): Promise<Webhook> {
  return (await readTaggedWebhook(id)).data;
}

export async function readTaggedWebhook(id: number): Promise<Tagged<Webhook>> {
  const { data, etag } = await api.getTagged('/api/v1/webhooks/{id}', { params: { path: { id } } });
  return { data: data.webhook, etag };
}

export function webhookQuery(id: number) {
  return queryOptions({ queryKey: ['webhooks', id], queryFn: () => readWebhook(id) });
}

/** Polling interval while a delivery is pending: there are no events for deliveries. */
const pause = 2000;

/** Deliveries, newest first. The key starts with `messages`, so that a new message refetches them. */
export function deliveriesQuery(id: number, state: DeliveryState | undefined) {
  return infiniteQueryOptions({
    queryKey: ['messages', 'webhook-deliveries', id, state ?? ''],
    initialPageParam: '',
    queryFn: ({ pageParam: cursor }) =>
      api.get('/api/v1/webhooks/{id}/deliveries', {
        params: {
          path: { id },
          query: { limit: 50, ...(state === undefined ? {} : { state }), ...(cursor === '' ? {} : { cursor }) },
        },
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some((one) => one.state === 'pending')) ? pause : false,
  });
}

export function deliveryQuery(id: number, uuid: string) {
  return queryOptions({
    queryKey: ['messages', 'webhook-deliveries', id, 'one', uuid],
    queryFn: () =>
      api.get('/api/v1/webhooks/{id}/deliveries/{delivery_uuid}', {
        params: { path: { id, delivery_uuid: uuid } },
      }),
    refetchInterval: ({ state: { data } }) => (data?.delivery.state === 'pending' ? pause : false),
  });
}
