import Type from 'typebox';
import { nullable } from '../../../lib/schema-parts.ts';

const sessionTypes = ['person', 'group'] as const;
const SessionTypeName = Type.Enum([...sessionTypes]);

export const WebChatParams = Type.Object({ pipeline_uuid: Type.String({ format: 'uuid' }) });

/** The handler validates the session type, and returns 400 as the reference system does. */
export const WebChatSessionParams = Type.Object({
  pipeline_uuid: Type.String({ format: 'uuid' }),
  session_type: Type.String({ description: '`person` or `group`.' }),
});

/** For admins: another state of the pipeline, or another model, in a conversation of its own. */
const trial = {
  version: Type.Optional(
    Type.String({
      pattern: '^(draft|[1-9][0-9]{0,8})$',
      description: 'Requires an admin: `draft`, or the number of a version, instead of the published one.',
    }),
  ),
  model: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Requires an admin: the model that answers instead of the one that the pipeline names first.',
    }),
  ),
};

const place = {
  ...trial,
  conversation: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description:
        'Name of a conversation of its own, chosen by the client. Those whose name is a UUID are in the list of conversations.',
    }),
  ),
};

export const ConnectQuery = Type.Object({ session_type: Type.Optional(Type.String()), ...place });
export const PlaceQuery = Type.Object(place);

export const WebChatMessages = Type.Object({
  messages: Type.Array(
    Type.Object(
      {
        id: Type.Integer(),
        uuid: Type.String({ format: 'uuid' }),
        role: Type.Enum(['user', 'assistant']),
        content: Type.String(),
        message_chain: Type.Array(Type.Object({ type: Type.String() }, { additionalProperties: true })),
        timestamp: Type.String({ format: 'date-time' }),
        is_final: Type.Boolean(),
        is_failed: Type.Optional(
          Type.Literal(true, { description: 'It is a notice that there is no answer because of a failure.' }),
        ),
        is_stopped: Type.Optional(
          Type.Literal(true, {
            description: 'The answer was stopped: on the question, and on the start of the answer.',
          }),
        ),
        is_pending: Type.Optional(Type.Literal(true, { description: 'It waits for its answer.' })),
        is_replaced: Type.Optional(
          Type.Literal(true, {
            description: 'Another message replaced it, or one before it: models do not receive it.',
          }),
        ),
        replaces: Type.Optional(Type.String({ format: 'uuid', description: 'The message that it replaces.' })),
        connection_id: Type.String(),
        citations: Type.Optional(
          Type.Array(
            Type.Object({
              number: Type.Integer({ minimum: 1, description: 'In the answer: `[1]`.' }),
              file_name: Type.String({ description: 'Empty when the source is unknown.' }),
              page: nullable(Type.Integer({ minimum: 1 })),
              page_end: nullable(Type.Integer({ minimum: 1 })),
            }),
            { description: 'The sources that an answer cites; absent without any.' },
          ),
        ),
      },
      { title: 'WebChatMessage' },
    ),
  ),
});

export const Notice = Type.Object({ message: Type.String() });

export const BroadcastBody = Type.Object(
  { message: Type.Unknown({ description: 'Any non-empty value.' }) },
  { additionalProperties: false },
);

const Counts = Type.Record(Type.String(), Type.Integer());

export const WebChatConnections = Type.Object({
  stats: Type.Object({
    total_connections: Type.Integer(),
    pipelines: Type.Integer(),
    connections_by_pipeline: Counts,
    connections_by_session_type: Counts,
  }),
  connections: Type.Array(
    Type.Object({
      connection_id: Type.String(),
      session_type: SessionTypeName,
      created_at: Type.String({ format: 'date-time' }),
      last_active: Type.String({ format: 'date-time' }),
      is_active: Type.Boolean(),
    }),
  ),
});

export const ConversationsQuery = Type.Object({
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only conversations whose title or messages contain this text.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the page before.' })),
});

export const ConversationParams = Type.Object({ uuid: Type.String({ format: 'uuid' }) });

export const ConversationBody = Type.Object(
  { title: Type.String({ maxLength: 200, description: 'Empty for the start of the first message.' }) },
  { additionalProperties: false },
);

const Conversation = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    pipeline_uuid: Type.String(),
    conversation: Type.String({ description: 'Its name in the addresses of the web chat.' }),
    title: Type.String({ description: 'The start of the first message, unless another was chosen.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time', description: 'When its last message was stored.' }),
  },
  { title: 'ChatConversation' },
);

export const Conversations = Type.Object({
  conversations: Type.Array(Conversation),
  next_cursor: nullable(Type.String({ description: 'A search may return short pages with a cursor.' })),
});

export const OneConversation = Type.Object({ conversation: Conversation });
