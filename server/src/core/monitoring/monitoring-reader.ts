import type { Measure } from './measures.ts';
import type { FeedbackStatistics, MessageAnalysis } from './monitoring.ts';
import type { MonitoredError, MonitoredRecords, MonitoredSession, RecordKind } from './records.ts';

/** Filters; all given ones must match. Each list has at least one value. */
export interface MonitoringFilter {
  bots?: readonly string[] | undefined;
  pipelines?: readonly string[] | undefined;
  /** ISO 8601 UTC with milliseconds, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface RecordFilter extends MonitoringFilter {
  /** Messages only: `person_<id>` or `group_<id>`. */
  sessions?: readonly string[] | undefined;
  /** Embedding calls only. */
  knowledge_base?: string | undefined;
  /** Sessions only. */
  is_active?: boolean | undefined;
  /** Feedback only. */
  feedback_type?: number | undefined;
  /** Feedback only: of these messages. */
  messages?: readonly string[] | undefined;
}

/** Grouping of sums. Hours and days are represented by their start. */
export type SumKey = 'nothing' | 'hour' | 'day' | 'bot' | 'pipeline' | 'model';

export interface SumQuery {
  filter: MonitoringFilter & { models?: readonly string[] | undefined };
  measures: readonly Measure[];
  by: SumKey;
}

/** Sums by {@link SumKey}; without one, under the empty text. Zeros may be omitted. */
export type Sums = Map<string, Partial<Record<Measure, number>>>;

/** Position of a record among those of its kind, newest first. */
export interface RecordPlace {
  timestamp: string;
  id: string;
}

export interface RecordQuery<Kind extends RecordKind = RecordKind> {
  kind: Kind;
  filter: RecordFilter;
  limit: number;
  offset: number;
  /** Sessions that were active then or later are active. */
  active_since: string;
}

export interface RecordPage<Kind extends RecordKind = RecordKind> {
  /** Newest first. */
  records: MonitoredRecords[Kind][];
  total: number;
}

/** The next records of an export, and the cursor; null at the end. */
export interface RecordBatch<Kind extends RecordKind = RecordKind> {
  records: MonitoredRecords[Kind][];
  next: RecordPlace | null;
}

export interface BatchQuery<Kind extends RecordKind = RecordKind> extends Omit<RecordQuery<Kind>, 'offset'> {
  after: RecordPlace | null;
}

export type MessageDetails = Pick<MessageAnalysis, 'message' | 'llm_calls' | 'errors'>;

export interface SessionStory {
  session: MonitoredSession;
  messages: { total: number; success: number; error: number; pending: number };
  llm_calls: { calls: number; failures: number; input_tokens: number; output_tokens: number; milliseconds: number };
  /** The newest. */
  errors: MonitoredError[];
}

export type FeedbackCount = Omit<FeedbackStatistics['by_bot'][number], 'total'>;

/** What a caller of the model API used. The session names the API key or the account, and perhaps its user. */
export interface CallerUsage {
  session_id: string;
  messages: number;
  llm_calls: number;
  llm_failures: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
}

/** Reads monitoring data. Every result is a consistent snapshot, and blocks nothing. */
export interface MonitoringReader {
  sums(query: SumQuery): Promise<Sums>;
  /** Sessions with messages in the window. */
  activeSessions(filter: MonitoringFilter): Promise<number>;
  page<Kind extends RecordKind>(query: RecordQuery<Kind>): Promise<RecordPage<Kind>>;
  batch<Kind extends RecordKind>(query: BatchQuery<Kind>): Promise<RecordBatch<Kind>>;
  /** Null for an unknown message. */
  messageDetails(uuid: string): Promise<MessageDetails | null>;
  /** Null for an unknown session. */
  sessionStory(sessionId: string, filter: MonitoringFilter, activeSince: string): Promise<SessionStory | null>;
  feedbackCounts(filter: MonitoringFilter): Promise<FeedbackCount[]>;
  /** In no order. */
  usageOfCallers(filter: MonitoringFilter): Promise<CallerUsage[]>;
  /** The present names of bots or pipelines, by their ids; deleted ones are omitted. */
  names(of: 'bots' | 'pipelines'): Promise<Map<string, string>>;
}
