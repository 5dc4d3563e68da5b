import type { Measure } from './measures.ts';
import type {
  MonitoredError,
  MonitoredLlmCall,
  MonitoredMessage,
  MonitoredRecords,
  MonitoredSession,
  RecordKind,
} from './records.ts';

/** What is looked at; all that is given must hold. Each list holds at least one value. */
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

/** What sums are told apart by. Hours and days are the moments at which they begin. */
export type SumKey = 'nothing' | 'hour' | 'day' | 'bot' | 'pipeline' | 'model';

export interface SumQuery {
  filter: MonitoringFilter & { models?: readonly string[] | undefined };
  measures: readonly Measure[];
  by: SumKey;
}

/** Sums by {@link SumKey}; without one, under the empty text. What is zero may be left out. */
export type Sums = Map<string, Partial<Record<Measure, number>>>;

/** Where a record stands among those of its kind, newest first. */
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

/** The next records of an export, and where to go on; null when there are no more. */
export interface RecordBatch<Kind extends RecordKind = RecordKind> {
  records: MonitoredRecords[Kind][];
  next: RecordPlace | null;
}

export interface BatchQuery<Kind extends RecordKind = RecordKind> extends Omit<RecordQuery<Kind>, 'offset'> {
  after: RecordPlace | null;
}

export interface MessageDetails {
  message: MonitoredMessage;
  llm_calls: MonitoredLlmCall[];
  errors: MonitoredError[];
}

export interface SessionStory {
  session: MonitoredSession;
  messages: { total: number; success: number; error: number; pending: number };
  llm_calls: { calls: number; failures: number; input_tokens: number; output_tokens: number; milliseconds: number };
  /** The newest. */
  errors: MonitoredError[];
}

export interface FeedbackCount {
  bot_id: string;
  bot_name: string;
  likes: number;
  dislikes: number;
}

/** Reads what is monitored. Every answer is of one moment, and nothing else waits for it. */
export interface MonitoringReader {
  sums(query: SumQuery): Promise<Sums>;
  /** Sessions with something said in the window. */
  activeSessions(filter: MonitoringFilter): Promise<number>;
  page<Kind extends RecordKind>(query: RecordQuery<Kind>): Promise<RecordPage<Kind>>;
  batch<Kind extends RecordKind>(query: BatchQuery<Kind>): Promise<RecordBatch<Kind>>;
  /** Null when there is no such message. */
  messageDetails(uuid: string): Promise<MessageDetails | null>;
  /** Null when there is no such session. */
  sessionStory(sessionId: string, filter: MonitoringFilter, activeSince: string): Promise<SessionStory | null>;
  feedbackCounts(filter: MonitoringFilter): Promise<FeedbackCount[]>;
  /** What bots or pipelines are called now, by their ids; those that are gone are left out. */
  names(of: 'bots' | 'pipelines'): Promise<Map<string, string>>;
}
