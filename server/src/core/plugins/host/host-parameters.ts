import type { PluginPermissions } from '@parley/sdk';
import Type, { type TSchema } from 'typebox';
import type { HostMethod } from '../plugin-protocol.ts';

const closed = { additionalProperties: false } as const;
const nothing = Type.Object({}, closed);
const storageKey = Type.String({ minLength: 1, maxLength: 200 });
const uuid = Type.String({ maxLength: 100 });
const Target = Type.Object(
  {
    bot_uuid: uuid,
    session_type: Type.Enum(['person', 'group']),
    target_id: Type.String({ minLength: 1, maxLength: 512 }),
  },
  closed,
);
const Generation = Type.Object(
  {
    model: uuid,
    messages: Type.Array(
      Type.Object(
        { role: Type.Enum(['system', 'user', 'assistant']), content: Type.String({ maxLength: 2_000_000 }) },
        closed,
      ),
      { minItems: 1, maxItems: 1000 },
    ),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  },
  closed,
);

/** The shape of the parameters of each request of a plugin. Chains are checked by their handlers. */
export const hostParameters: Record<HostMethod, TSchema> = {
  settings: nothing,
  fetch: Type.Object(
    {
      url: Type.String({ maxLength: 8192 }),
      method: Type.String({ pattern: '^[A-Za-z]{1,20}$' }),
      headers: Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 8192 }), { maxProperties: 100 }),
      body: Type.Union([Type.String({ maxLength: 8_000_000 }), Type.Null()]),
      redirect: Type.Enum(['follow', 'manual', 'error']),
    },
    closed,
  ),
  storage_get: Type.Object({ key: storageKey }, closed),
  storage_set: Type.Object({ key: storageKey, value: Type.Unknown() }, closed),
  storage_delete: Type.Object({ key: storageKey }, closed),
  storage_keys: Type.Object(
    { prefix: Type.String({ maxLength: 200 }), after: Type.String({ maxLength: 200 }) },
    closed,
  ),
  storage_add: Type.Object({ key: storageKey, amount: Type.Number() }, closed),
  reply: Type.Object({ message_chain: Type.Unknown() }, closed),
  send: Type.Object({ target: Target, message_chain: Type.Unknown() }, closed),
  models_list: nothing,
  models_generate: Generation,
  models_stream: Generation,
  models_embed: Type.Object(
    {
      model: uuid,
      texts: Type.Array(Type.String({ maxLength: 1_000_000 }), { minItems: 1, maxItems: 1000 }),
      purpose: Type.Enum(['document', 'query']),
    },
    closed,
  ),
  knowledge_search: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 10_000 }),
      bases: Type.Union([Type.Array(uuid, { maxItems: 100 }), Type.Null()]),
    },
    closed,
  ),
  files_read: Type.Object({ element: Type.Object({ type: Type.String({ maxLength: 40 }) }) }, closed),
  conversation_read: Type.Object({ rounds: Type.Integer({ minimum: 0, maximum: 1000 }) }, closed),
  conversation_reset: nothing,
};

/** Whether the permissions of a plugin allow each request. Handlers check what an operator chose for them. */
export const hostPermissions: Record<HostMethod, (permissions: PluginPermissions) => boolean> = {
  settings: () => true,
  // Its handler checks each address: addresses in the settings need no permission.
  fetch: () => true,
  storage_get: ({ storage }) => storage === true,
  storage_set: ({ storage }) => storage === true,
  storage_delete: ({ storage }) => storage === true,
  storage_keys: ({ storage }) => storage === true,
  storage_add: ({ storage }) => storage === true,
  reply: ({ reply }) => reply === true,
  send: ({ send }) => send === true,
  models_list: ({ models }) => models !== undefined,
  models_generate: ({ models }) => models?.includes('generate') === true,
  models_stream: ({ models }) => models?.includes('generate') === true,
  models_embed: ({ models }) => models?.includes('embed') === true,
  knowledge_search: ({ knowledge }) => knowledge !== undefined,
  files_read: ({ files }) => files === true,
  conversation_read: ({ conversation }) => conversation?.includes('read') === true,
  conversation_reset: ({ conversation }) => conversation?.includes('reset') === true,
};
