import Type, { type TSchema } from 'typebox';
import { exportColumns } from '../../../core/monitoring/export-tables.ts';
import { seriesMetrics } from '../../../core/monitoring/monitoring.ts';
import type { RecordKind } from '../../../core/monitoring/records.ts';
import {
  MonitoredEmbeddingCall,
  MonitoredError,
  MonitoredFeedback,
  MonitoredLlmCall,
  MonitoredMessage,
  MonitoredSession,
  MonitoredToolCall,
} from './records.ts';

/** Maximum number of values of one filter. */
const mostValues = 100;
/** One value or several: `?botId=a&botId=b`. */
const Texts = Type.Optional(
  Type.Union([Type.String({ maxLength: 512 }), Type.Array(Type.String({ maxLength: 512 }), { maxItems: mostValues })]),
);
const Timestamp = Type.Optional(
  Type.Union([Type.String({ format: 'iso-date-time' }), Type.String({ format: 'date' })], {
    description: 'ISO 8601; UTC without an offset.',
  }),
);
const Limit = (defaults: number, description = 'At most 1000 count.') =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: defaults, description });
const window = { startTime: Timestamp, endTime: Timestamp };
const filter = { botId: Texts, pipelineId: Texts, ...window };
const pages = {
  limit: Limit(100),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
};
const FeedbackType = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 2, description: '1 for likes, 2 for dislikes.' }),
);

export const FilterQuery = Type.Object(filter);
export const PageQuery = Type.Object({ ...filter, ...pages });
export const MessageQuery = Type.Object({ ...filter, sessionId: Texts, ...pages });
export const SessionQuery = Type.Object({ ...filter, isActive: Type.Optional(Type.String()), ...pages });
export const EmbeddingCallQuery = Type.Object({
  knowledgeBaseId: Type.Optional(Type.String({ maxLength: 512 })),
  ...window,
  ...pages,
});
export const FeedbackQuery = Type.Object({ ...filter, feedbackType: FeedbackType, messageId: Texts, ...pages });
export const DataQuery = Type.Object({ ...filter, limit: Limit(50) });

export const ExportQuery = Type.Object({
  type: Type.Enum(Object.keys(exportColumns) as RecordKind[]),
  format: Type.Enum(['csv', 'json'], {
    default: 'csv',
    description: '`json` returns one JSON object per line, with all fields of the record.',
  }),
  ...filter,
  limit: Limit(100_000, 'The newest so many records.'),
});

export const SeriesQuery = Type.Object({
  metric: Type.Enum([...seriesMetrics]),
  interval: Type.Enum(['hour', 'day'], { default: 'hour' }),
  ...filter,
  model: Texts,
});

export const CostQuery = Type.Object({
  groupBy: Type.Enum(['model', 'bot', 'pipeline'], { default: 'model' }),
  ...filter,
  model: Texts,
});

const file = { schema: Type.Unsafe<never>({ type: 'string' }) };
export const ExportAnswer = {
  description: 'CSV with a header line, in UTF-8 with a byte order mark; or JSON, one record per line.',
  content: { 'text/csv': file, 'application/x-ndjson': file },
};

const count = Type.Integer({ minimum: 0 });
const Page = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  Type.Object({
    [name]: Type.Array(item),
    total: count,
    limit: count,
    offset: count,
  } as { [Key in Name]: ReturnType<typeof Type.Array<Item>> } & Record<'total' | 'limit' | 'offset', typeof count>);

export const MonitoredMessages = Page('messages', MonitoredMessage);
export const MonitoredLlmCalls = Page('llm_calls', MonitoredLlmCall);
export const MonitoredToolCalls = Page('tool_calls', MonitoredToolCall);
export const MonitoredEmbeddingCalls = Page('embedding_calls', MonitoredEmbeddingCall);
export const MonitoredSessions = Page('sessions', MonitoredSession);
export const MonitoredErrors = Page('errors', MonitoredError);
export const MonitoredFeedbacks = Page('feedback', MonitoredFeedback);

export const MonitoringOverview = Type.Object(
  {
    total_messages: count,
    llm_calls: count,
    embedding_calls: count,
    model_calls: count,
    success_rate: Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        'Percentage of messages with completely delivered answers among those that ended as answered, failed or uncertain; 100 if none ended.',
    }),
    active_sessions: Type.Integer({
      minimum: 0,
      description: 'Sessions with messages in the time range; without one, in the last 30 minutes.',
    }),
  },
  { title: 'MonitoringOverview' },
);

export const MonitoringFigures = Type.Object(
  {
    received: count,
    sent: count,
    success_rate: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
      description:
        'Percentage of messages with completely delivered answers among those that ended as answered, failed or uncertain; null if none ended.',
    }),
    errors: Type.Integer({
      minimum: 0,
      description: 'Failed messages, model calls, tool calls and deliveries.',
    }),
    latency: Type.Union([Type.Object({ median: Type.Number(), p95: Type.Number() }), Type.Null()], {
      description: 'Response times, milliseconds; null if nothing was answered.',
    }),
    llm_calls: count,
    input_tokens: count,
    output_tokens: count,
    cost: Type.Number({ minimum: 0, description: 'Cost of the calls with a known price.' }),
  },
  { title: 'MonitoringFigures' },
);

export const MonitoringData = Type.Object({
  overview: MonitoringOverview,
  messages: Type.Array(MonitoredMessage),
  llmCalls: Type.Array(MonitoredLlmCall),
  embeddingCalls: Type.Array(MonitoredEmbeddingCall),
  sessions: Type.Array(MonitoredSession),
  errors: Type.Array(MonitoredError),
  totalCount: Type.Object({
    messages: count,
    llmCalls: count,
    embeddingCalls: count,
    sessions: count,
    errors: count,
  }),
});

export const FeedbackStatistics = Type.Object({
  total_feedback: count,
  total_likes: count,
  total_dislikes: count,
  satisfaction_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percentage; 0 without feedback.' }),
  by_bot: Type.Array(
    Type.Object({
      bot_id: Type.String(),
      bot_name: Type.String(),
      total: count,
      likes: count,
      dislikes: count,
    }),
  ),
});

export const SessionParams = Type.Object({ session_id: Type.String() });
export const SessionAnalysisQuery = Type.Object({ botId: Texts });
export const MessageParams = Type.Object({ message_id: Type.String() });

const tokens = {
  total_calls: count,
  total_input_tokens: count,
  total_output_tokens: count,
  total_tokens: count,
  average_duration_ms: Type.Number({ minimum: 0 }),
};

/** Only `found` if the session is unknown. */
export const SessionAnalysis = Type.Object({
  session_id: Type.String(),
  found: Type.Boolean(),
  session: Type.Optional(MonitoredSession),
  message_stats: Type.Optional(Type.Object({ total: count, success: count, error: count, pending: count })),
  llm_stats: Type.Optional(Type.Object({ ...tokens, success_calls: count, error_calls: count })),
  errors: Type.Optional(Type.Array(MonitoredError)),
  session_duration_seconds: Type.Optional(count),
});

export const MessageDetails = Type.Object({
  message_id: Type.String(),
  found: Type.Boolean(),
  message: MonitoredMessage,
  llm_calls: Type.Array(MonitoredLlmCall),
  llm_stats: Type.Object({ ...tokens, total_duration_ms: Type.Number({ minimum: 0 }) }),
  errors: Type.Array(MonitoredError),
});

const timestamp = Type.String({ format: 'date-time' });
const numberOrNull = Type.Union([Type.Number(), Type.Null()]);
export const MonitoringSeries = Type.Object(
  {
    metric: Type.Enum([...seriesMetrics]),
    interval: Type.Enum(['hour', 'day']),
    from: timestamp,
    to: timestamp,
    points: Type.Array(
      Type.Object({
        timestamp: Type.String({ format: 'date-time', description: 'Start of the hour or day, UTC.' }),
        value: Type.Union([Type.Number(), Type.Null()], {
          description: 'For `latency`, the median in milliseconds; null if nothing was answered.',
        }),
        p95: Type.Optional(numberOrNull),
      }),
      { description: 'One for each hour or day of the time range, oldest first.' },
    ),
  },
  { title: 'MonitoringSeries' },
);

export const MonitoringCosts = Type.Object({
  costs: Type.Array(
    Type.Object(
      {
        id: Type.String({ description: 'Id of the bot or pipeline; name of the model.' }),
        name: Type.String(),
        llm_calls: count,
        llm_failures: count,
        input_tokens: count,
        output_tokens: count,
        total_tokens: count,
        cost: Type.Number({ minimum: 0, description: 'Cost of the calls with a known price.' }),
      },
      { title: 'CostShare' },
    ),
  ),
});
