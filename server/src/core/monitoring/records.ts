import Type, { type Static } from 'typebox';
import { Count, nullable, Timestamp } from '../../lib/schema-parts.ts';

const text = Type.String();
const maybe = nullable(Type.String());
const milliseconds = Type.Number({ minimum: 0, description: 'Milliseconds.' });

/** Bot and pipeline of a record, by their present names; deleted ones are named by id. */
const route = { bot_id: text, bot_name: text, pipeline_id: text, pipeline_name: text };

export const MonitoredMessage = Type.Object(
  {
    id: text,
    timestamp: Timestamp,
    ...route,
    message_content: Type.String({ description: 'The message chain as JSON.' }),
    session_id: text,
    status: Type.String({ description: '`pending`, `success` or `error`.' }),
    level: Type.String({ description: '`debug`, `info`, `warning` or `error`.' }),
    platform: maybe,
    user_id: maybe,
    user_name: maybe,
    runner_name: maybe,
    /** Variables of runners and prompts, as JSON. */
    variables: maybe,
    role: Type.String({ description: '`user` or `assistant`.' }),
  },
  { title: 'MonitoredMessage' },
);
export type MonitoredMessage = Static<typeof MonitoredMessage>;

export const MonitoredLlmCall = Type.Object(
  {
    id: text,
    timestamp: Timestamp,
    model_name: text,
    input_tokens: Count,
    output_tokens: Count,
    total_tokens: Count,
    duration: milliseconds,
    cost: nullable(Type.Number()),
    status: text,
    ...route,
    session_id: maybe,
    error_message: maybe,
    message_id: maybe,
  },
  { title: 'MonitoredLlmCall' },
);
export type MonitoredLlmCall = Static<typeof MonitoredLlmCall>;

export const MonitoredToolCall = Type.Object(
  {
    id: text,
    timestamp: Timestamp,
    tool_name: text,
    parameters: Type.String({ description: 'JSON; long values are truncated.' }),
    result_size: nullable(Count, 'Bytes.'),
    duration: nullable(milliseconds),
    status: text,
    ...route,
    session_id: maybe,
    error_message: maybe,
    message_id: maybe,
  },
  { title: 'MonitoredToolCall' },
);
export type MonitoredToolCall = Static<typeof MonitoredToolCall>;

export const MonitoredEmbeddingCall = Type.Object(
  {
    id: text,
    timestamp: Timestamp,
    model_name: text,
    prompt_tokens: Count,
    total_tokens: Count,
    duration: milliseconds,
    input_count: Count,
    status: text,
    error_message: maybe,
    knowledge_base_id: maybe,
    query_text: maybe,
    session_id: maybe,
    message_id: maybe,
    call_type: Type.String({ description: '`embedding` or `retrieve`.' }),
  },
  { title: 'MonitoredEmbeddingCall' },
);
export type MonitoredEmbeddingCall = Static<typeof MonitoredEmbeddingCall>;

export const MonitoredSession = Type.Object(
  {
    session_id: text,
    ...route,
    message_count: Count,
    start_time: Timestamp,
    last_activity: Timestamp,
    is_active: Type.Boolean(),
    platform: maybe,
    user_id: maybe,
    user_name: maybe,
    group_name: nullable(text, 'Display name of the group; null in private chats and if it is not known.'),
  },
  { title: 'MonitoredSession' },
);
export type MonitoredSession = Static<typeof MonitoredSession>;

export const MonitoredError = Type.Object(
  {
    id: text,
    timestamp: Timestamp,
    error_type: Type.String({ description: 'A reason of docs/errors.md.' }),
    error_message: text,
    ...route,
    session_id: maybe,
    stack_trace: Type.Null({ description: 'Stack traces are not disclosed.' }),
    message_id: maybe,
  },
  { title: 'MonitoredError' },
);
export type MonitoredError = Static<typeof MonitoredError>;

export const MonitoredFeedback = Type.Object(
  {
    id: text,
    timestamp: Timestamp,
    feedback_id: text,
    feedback_type: Type.Integer({ description: '1 for a like, 2 for a dislike.' }),
    feedback_content: maybe,
    /** A list of texts as JSON. */
    inaccurate_reasons: maybe,
    ...route,
    session_id: maybe,
    message_id: maybe,
    stream_id: maybe,
    user_id: maybe,
    platform: maybe,
  },
  { title: 'MonitoredFeedback' },
);
export type MonitoredFeedback = Static<typeof MonitoredFeedback>;

/** The records that are listed and exported, by their kind. */
export interface MonitoredRecords {
  messages: MonitoredMessage;
  'llm-calls': MonitoredLlmCall;
  'tool-calls': MonitoredToolCall;
  'embedding-calls': MonitoredEmbeddingCall;
  errors: MonitoredError;
  sessions: MonitoredSession;
  feedback: MonitoredFeedback;
}
export type RecordKind = keyof MonitoredRecords;
