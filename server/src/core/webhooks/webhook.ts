import Type, { type Static } from 'typebox';

const DateTime = Type.String({ format: 'date-time' });
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
    created_at: DateTime,
    updated_at: DateTime,
  },
  {
    title: 'Webhook',
    description: 'An address that is to be told of incoming messages. The record is kept; nothing is sent to it yet.',
  },
);
export type Webhook = Static<typeof Webhook>;

export const CreateWebhook = Type.Object(
  {
    name: Name,
    url: Address,
    description: Type.Optional(Description),
    enabled: Type.Optional(Type.Boolean({ description: 'True when left out.' })),
  },
  { additionalProperties: false },
);
export type CreateWebhook = Static<typeof CreateWebhook>;

const unchanged = { description: 'Null or left out: unchanged.' };

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
