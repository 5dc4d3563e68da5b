import Type, { type Static } from 'typebox';
import { Count, nullable, Timestamp } from '../../lib/schema-parts.ts';
import { MonitoredError, MonitoredLlmCall, MonitoredMessage, MonitoredSession } from './records.ts';

/** What went on in a window, in a few figures. */
export const Overview = Type.Object(
  {
    total_messages: Count,
    llm_calls: Count,
    /** Those of no bot, so filters by bot and pipeline leave them as they are. */
    embedding_calls: Count,
    model_calls: Count,
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
export type Overview = Static<typeof Overview>;

/** Figures of a time range, comparable with another range. */
export const Figures = Type.Object(
  {
    received: Count,
    sent: Count,
    success_rate: nullable(
      Type.Number({ minimum: 0, maximum: 100 }),
      'Percentage of messages with completely delivered answers among those that ended as answered, failed or uncertain; null if none ended.',
    ),
    errors: Type.Integer({
      minimum: 0,
      description: 'Received messages that failed, or whose answer may not have arrived completely; each once.',
    }),
    latency: nullable(
      Type.Object({ median: Type.Number(), p95: Type.Number() }),
      'Response times, milliseconds; null if nothing was answered.',
    ),
    llm_calls: Count,
    input_tokens: Count,
    output_tokens: Count,
    cost: Type.Number({ minimum: 0, description: 'Cost of the calls with a known price.' }),
  },
  { title: 'MonitoringFigures' },
);
export type Figures = Static<typeof Figures>;

/** Metrics of series; latencies have two numbers. */
export const seriesMetrics = [
  'messages',
  'failures',
  'llm_calls',
  'llm_failures',
  'input_tokens',
  'output_tokens',
  'cost',
  'tool_calls',
  'tool_failures',
  'embedding_calls',
  'latency',
] as const;
export type SeriesMetric = (typeof seriesMetrics)[number];

const numberOrNull = nullable(Type.Number());
const SeriesPoint = Type.Object({
  timestamp: Type.String({ format: 'date-time', description: 'Start of the hour or day, UTC.' }),
  value: nullable(Type.Number(), 'For `latency`, the median in milliseconds; null if nothing was answered.'),
  p95: Type.Optional(numberOrNull),
});
export type SeriesPoint = Static<typeof SeriesPoint>;

export const Series = Type.Object(
  {
    metric: Type.Enum([...seriesMetrics]),
    interval: Type.Enum(['hour', 'day']),
    from: Timestamp,
    to: Timestamp,
    points: Type.Array(SeriesPoint, { description: 'One for each hour or day of the time range, oldest first.' }),
  },
  { title: 'MonitoringSeries' },
);
export type Series = Static<typeof Series>;

/** Sums of calls of language models, with their cost. */
const callSums = {
  llm_calls: Count,
  llm_failures: Count,
  input_tokens: Count,
  output_tokens: Count,
  total_tokens: Count,
  cost: Type.Number({ minimum: 0, description: 'Cost of the calls with a known price.' }),
};

/** The cost of one model, bot or pipeline. */
export const CostShare = Type.Object(
  {
    id: Type.String({ description: 'Id of the bot or pipeline; name of the model.' }),
    name: Type.String(),
    ...callSums,
  },
  { title: 'CostShare' },
);
export type CostShare = Static<typeof CostShare>;

/** What an API key used through the model API. */
export const ApiKeyUsage = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the API key, which may be revoked.' }),
    requests: Count,
    ...callSums,
  },
  { title: 'ApiKeyUsage' },
);
export type ApiKeyUsage = Static<typeof ApiKeyUsage>;

/** Sums of calls of language models. */
const LlmStatistics = Type.Object({
  total_calls: Count,
  total_input_tokens: Count,
  total_output_tokens: Count,
  total_tokens: Count,
  average_duration_ms: Type.Number({ minimum: 0 }),
});
export type LlmStatistics = Static<typeof LlmStatistics>;

export const MessageAnalysis = Type.Object({
  message_id: Type.String(),
  found: Type.Boolean(),
  message: MonitoredMessage,
  llm_calls: Type.Array(MonitoredLlmCall),
  llm_stats: Type.Object({ ...LlmStatistics.properties, total_duration_ms: Type.Number({ minimum: 0 }) }),
  errors: Type.Array(MonitoredError),
});
export type MessageAnalysis = Static<typeof MessageAnalysis>;

/** Only `found` if the session is unknown. */
export const SessionAnalysis = Type.Object({
  session_id: Type.String(),
  found: Type.Boolean(),
  session: Type.Optional(MonitoredSession),
  message_stats: Type.Optional(Type.Object({ total: Count, success: Count, error: Count, pending: Count })),
  llm_stats: Type.Optional(Type.Object({ ...LlmStatistics.properties, success_calls: Count, error_calls: Count })),
  errors: Type.Optional(Type.Array(MonitoredError)),
  session_duration_seconds: Type.Optional(Count),
});
export type SessionAnalysis = Static<typeof SessionAnalysis>;

export const FeedbackStatistics = Type.Object({
  total_feedback: Count,
  total_likes: Count,
  total_dislikes: Count,
  satisfaction_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percentage; 0 without feedback.' }),
  by_bot: Type.Array(
    Type.Object({
      bot_id: Type.String(),
      bot_name: Type.String(),
      total: Count,
      likes: Count,
      dislikes: Count,
    }),
  ),
});
export type FeedbackStatistics = Static<typeof FeedbackStatistics>;
