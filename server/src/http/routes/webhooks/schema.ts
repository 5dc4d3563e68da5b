import Type from 'typebox';
import { CreateWebhook, UpdateWebhook, Webhook, WebhookTestResult } from '../../../core/webhooks/webhook.ts';
import { WebhookAttempt, WebhookDelivery, WebhookDeliveryState } from '../../../core/webhooks/webhook-delivery.ts';
import { listParameters, total } from '../../record-lists.ts';

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const WebhookParams = Type.Object({ id });
export const WebhookDeliveryParams = Type.Object({ id, delivery_uuid: Type.String({ format: 'uuid' }) });
export const webhookOrders = ['name', 'url', 'enabled', 'created_at', 'updated_at'] as const;
export const webhookFilters = { enabled: Type.Optional(Type.Boolean()) };
export const WebhookQuery = Type.Object(listParameters(webhookOrders, webhookFilters));
export const WebhookId = id;
export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook), total });
export const WebhookAnswer = Type.Object({ webhook: Webhook });
export const WebhookSecret = Type.Object({
  secret: Type.String({ description: 'The full secret; it is not shown again.' }),
});

export const WebhookDeliveryQuery = Type.Object(
  {
    state: Type.Optional(WebhookDeliveryState),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: '`next_cursor` of the previous page.' }),
    ),
  },
  { additionalProperties: false },
);
export const WebhookDeliveryPage = Type.Object({
  deliveries: Type.Array(WebhookDelivery),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page.' }),
});
export const WebhookDeliveryAnswer = Type.Object({
  delivery: WebhookDelivery,
  attempts: Type.Array(WebhookAttempt, { description: 'In order; the last 100.' }),
});
export { CreateWebhook, UpdateWebhook, WebhookTestResult };
