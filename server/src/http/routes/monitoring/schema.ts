import Type, { type TSchema } from 'typebox';
import { type ExportKind, exportColumns } from './export-columns.ts';
import {
  MonitoredEmbeddingCall,
  MonitoredError,
  MonitoredFeedback,
  MonitoredLlmCall,
  MonitoredMessage,
  MonitoredSession,
} from './records.ts';

/** One value or several: `?botId=a&botId=b`. */
const Texts = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));
const Moment = Type.Optional(
  Type.Union([Type.String({ format: 'iso-date-time' }), Type.String({ format: 'date' })], {
    description: 'ISO 8601; UTC where no time zone is given.',
  }),
);
const Limit = (usual: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: usual, description: 'At most 1000 count.' });
const window = { startTime: Moment, endTime: Moment };
const filter = { botId: Texts, pipelineId: Texts, ...window };
const pages = {
  limit: Limit(100),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
};

export const FilterQuery = Type.Object(filter);
export const PageQuery = Type.Object({ ...filter, ...pages });
export const MessageQuery = Type.Object({ ...filter, sessionId: Texts, ...pages });
export const SessionQuery = Type.Object({ ...filter, isActive: Type.Optional(Type.String()), ...pages });
export const EmbeddingCallQuery = Type.Object({
  knowledgeBaseId: Type.Optional(Type.String()),
  ...window,
  ...pages,
});
export const FeedbackQuery = Type.Object({
  ...filter,
  feedbackType: Type.Optional(Type.Integer({ description: '1 for likes, 2 for dislikes.' })),
  ...pages,
});
export const DataQuery = Type.Object({ ...filter, limit: Limit(50) });

export const ExportQuery = Type.Object({
  type: Type.Enum(Object.keys(exportColumns) as ExportKind[]),
  ...filter,
  limit: Limit(100_000),
});

export const ExportAnswer = {
  description: 'A table whose first line names its columns, in UTF-8 with a byte order mark.',
  content: { 'text/csv': { schema: Type.Unsafe<never>({ type: 'string' }) } },
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
    success_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percent; 100 where there are no messages.' }),
    active_sessions: count,
  },
  { title: 'MonitoringOverview' },
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
  satisfaction_rate: Type.Number({ minimum: 0, maximum: 100, description: 'Percent; 0 where there is no feedback.' }),
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
export const MessageParams = Type.Object({ message_id: Type.String() });

/** Of a session that is not known; the only answer there is yet. */
export const SessionAnalysis = Type.Object({ session_id: Type.String(), found: Type.Boolean() });

const tokens = {
  total_calls: count,
  total_input_tokens: count,
  total_output_tokens: count,
  total_tokens: count,
};
export const MessageDetails = Type.Object({
  message_id: Type.String(),
  found: Type.Boolean(),
  message: MonitoredMessage,
  llm_calls: Type.Array(MonitoredLlmCall),
  llm_stats: Type.Object({ ...tokens, total_duration_ms: Type.Number(), average_duration_ms: Type.Number() }),
  errors: Type.Array(MonitoredError),
});
