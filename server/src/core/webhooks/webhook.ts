import Type, { type Static } from 'typebox';
import { nullable, Timestamp } from '../../lib/schema-parts.ts';

const Name = Type.String({ minLength: 1, maxLength: 255 });
const Address = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'An http or https address without account name and password.',
});
const Description = Type.String({ maxLength: 512 });

export const Webhook = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    name: Name,
    url: Address,
    description: Description,
    enabled: Type.Boolean(),
    secret: Type.String({ description: 'Signing secret; shown in full on creation only, then masked.' }),
    disabled_reason: nullable(Type.Enum(['gone']), '`gone` when it was switched off because its address answered 410.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'Webhook',
    description: 'An address that receives every incoming message; see docs/webhooks.md.',
  },
);
export type Webhook = Static<typeof Webhook>;

/** Filters of the list of webhooks. */
export interface WebhookFilter {
  enabled?: boolean | undefined;
}

export const CreateWebhook = Type.Object(
  {
    name: Name,
    url: Address,
    description: Type.Optional(Description),
    enabled: Type.Optional(Type.Boolean({ description: 'True when omitted.' })),
  },
  { additionalProperties: false },
);
export type CreateWebhook = Static<typeof CreateWebhook>;

/** The result of a `ping`. */
export const WebhookTestResult = Type.Object(
  {
    delivered: Type.Boolean(),
    milliseconds: Type.Integer({ minimum: 0 }),
    status: nullable(Type.Integer(), 'Null when there was no answer.'),
    error: nullable(Type.String()),
    answer: nullable(Type.String(), 'The start of the response body.'),
  },
  { title: 'WebhookTestResult' },
);
export type WebhookTestResult = Static<typeof WebhookTestResult>;

const unchanged = { description: 'Null or omitted: unchanged.' };

export const UpdateWebhook = Type.Object(
  {
    name: Type.Optional(Type.Union([Name, Type.Null()], unchanged)),
    url: Type.Optional(Type.Union([Address, Type.Null()], unchanged)),
    description: Type.Optional(Type.Union([Description, Type.Null()], unchanged)),
    enabled: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], unchanged)),
  },
  { additionalProperties: false },
);
export type UpdateWebhook = Static<typeof UpdateWebhook>;
