import type { MonitoredError, MonitoredLlmCall, MonitoredMessage, MonitoredSession } from './records.ts';

/** What went on in a window, in a few figures. */
export interface Overview {
  /** In and out. */
  total_messages: number;
  llm_calls: number;
  /** Those of no bot, so filters by bot and pipeline leave them as they are. */
  embedding_calls: number;
  /** Both kinds. */
  model_calls: number;
  /** Percent of the messages that ended which ended well; 100 where none did. */
  success_rate: number;
  active_sessions: number;
}

/** Figures of a time range, comparable with another range. */
export interface Figures {
  received: number;
  sent: number;
  /** Percent of the messages that ended which ended well; null where none did. */
  success_rate: number | null;
  /** Messages, calls of models and tools, and deliveries that failed. */
  errors: number;
  /** From storing a message to the delivery of its answer; null without answers. */
  latency: { median: number; p95: number } | null;
  llm_calls: number;
  input_tokens: number;
  output_tokens: number;
  /** Of the calls with a known price. */
  cost: number;
}

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

export interface SeriesPoint {
  /** Start of the hour or the day, UTC. */
  timestamp: string;
  /** Of a latency, the median, milliseconds; null without answers. */
  value: number | null;
  /** Latency only: what 95 of 100 answers took at most, milliseconds. */
  p95?: number | null;
}

export interface Series {
  metric: SeriesMetric;
  interval: 'hour' | 'day';
  from: string;
  to: string;
  /** One for each hour or day of the window, oldest first. */
  points: SeriesPoint[];
}

/** The cost of one model, bot or pipeline. */
export interface CostShare {
  id: string;
  name: string;
  llm_calls: number;
  llm_failures: number;
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** Of the calls with a known price. */
  cost: number;
}

export interface LlmStatistics {
  total_calls: number;
  total_input_tokens: number;
  total_output_tokens: number;
  total_tokens: number;
  average_duration_ms: number;
}

export interface MessageAnalysis {
  message_id: string;
  found: true;
  message: MonitoredMessage;
  llm_calls: MonitoredLlmCall[];
  llm_stats: LlmStatistics & { total_duration_ms: number };
  errors: MonitoredError[];
}

export type SessionAnalysis =
  | { session_id: string; found: false }
  | {
      session_id: string;
      found: true;
      session: MonitoredSession;
      message_stats: { total: number; success: number; error: number; pending: number };
      llm_stats: LlmStatistics & { success_calls: number; error_calls: number };
      errors: MonitoredError[];
      session_duration_seconds: number;
    };

export interface FeedbackStatistics {
  total_feedback: number;
  total_likes: number;
  total_dislikes: number;
  /** Percent; 0 if there is none. */
  satisfaction_rate: number;
  by_bot: { bot_id: string; bot_name: string; total: number; likes: number; dislikes: number }[];
}
