import Type from 'typebox';
import { CreateWebhook, UpdateWebhook, Webhook } from '../../../core/webhooks/webhook.ts';

export const WebhookParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });
export const WebhookList = Type.Object({ webhooks: Type.Array(Webhook) });
export const WebhookAnswer = Type.Object({ webhook: Webhook });
export { CreateWebhook, UpdateWebhook };
