import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';

export const WebhookDeliveryState = Type.Enum(['pending', 'delivered', 'failed']);
export type WebhookDeliveryState = Static<typeof WebhookDeliveryState>;

/** The delivery of one message to one webhook, and its state. */
export const WebhookDelivery = Type.Object(
  {
    uuid: Type.String({ format: 'uuid', description: 'That of the message, and the `webhook-id` that is sent.' }),
    webhook_id: Type.Integer({ minimum: 1 }),
    event_type: Type.Enum(['bot.person_message', 'bot.group_message']),
    state: WebhookDeliveryState,
    attempts: Type.Integer({ minimum: 0, description: 'How often it was sent.' }),
    next_attempt_at: nullable(
      Timestamp,
      'Null when it ended, and while an earlier one of its conversation comes first.',
    ),
    skip_pipeline: Type.Boolean({ description: 'Whether the response prevented an answer to the message.' }),
    error: nullable(Type.String(), 'What went wrong last; null when it was delivered.'),
    created_at: Timestamp,
    finished_at: nullable(Timestamp),
  },
  { title: 'WebhookDelivery' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

/** One time that a payload was sent. */
export const WebhookAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    started_at: Timestamp,
    milliseconds: Type.Integer({ minimum: 0 }),
    status: nullable(Type.Integer(), 'Null when there was no answer.'),
    error: nullable(Type.String()),
    answer: nullable(Type.String(), 'The start of the response body.'),
  },
  { title: 'WebhookAttempt' },
);
export type WebhookAttempt = Static<typeof WebhookAttempt>;
