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
  compared: Type.Optional(
    Type.Boolean({ description: 'With `version` or `model`: a conversation of its own for comparisons.' }),
  ),
};

export const ConnectQuery = Type.Object({ session_type: Type.Optional(Type.String()), ...place });
export const TrialQuery = Type.Object(place);

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
