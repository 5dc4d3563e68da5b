import Type, { type TSchema } from 'typebox';
import { exportColumns } from '../../../core/monitoring/export-tables.ts';
import { Overview, seriesMetrics } from '../../../core/monitoring/monitoring.ts';
import {
  MonitoredEmbeddingCall,
  MonitoredError,
  MonitoredFeedback,
  MonitoredLlmCall,
  MonitoredMessage,
  MonitoredSession,
  MonitoredToolCall,
  type RecordKind,
} from '../../../core/monitoring/records.ts';
import { Count } from '../../../lib/schema-parts.ts';

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

const Page = <Name extends string, Item extends TSchema>(name: Name, item: Item) =>
  Type.Object({
    [name]: Type.Array(item),
    total: Count,
    limit: Count,
    offset: Count,
  } as { [Key in Name]: ReturnType<typeof Type.Array<Item>> } & Record<'total' | 'limit' | 'offset', typeof Count>);

export const MonitoredMessages = Page('messages', MonitoredMessage);
export const MonitoredLlmCalls = Page('llm_calls', MonitoredLlmCall);
export const MonitoredToolCalls = Page('tool_calls', MonitoredToolCall);
export const MonitoredEmbeddingCalls = Page('embedding_calls', MonitoredEmbeddingCall);
export const MonitoredSessions = Page('sessions', MonitoredSession);
export const MonitoredErrors = Page('errors', MonitoredError);
export const MonitoredFeedbacks = Page('feedback', MonitoredFeedback);

export const MonitoringData = Type.Object({
  overview: Overview,
  messages: Type.Array(MonitoredMessage),
  llmCalls: Type.Array(MonitoredLlmCall),
  embeddingCalls: Type.Array(MonitoredEmbeddingCall),
  sessions: Type.Array(MonitoredSession),
  errors: Type.Array(MonitoredError),
  totalCount: Type.Object({
    messages: Count,
    llmCalls: Count,
    embeddingCalls: Count,
    sessions: Count,
    errors: Count,
  }),
});

export const SessionParams = Type.Object({ session_id: Type.String() });
export const SessionAnalysisQuery = Type.Object({ botId: Texts });
export const MessageParams = Type.Object({ message_id: Type.String() });
