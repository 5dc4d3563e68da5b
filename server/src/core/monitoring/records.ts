/** Bot and pipeline of a record, by their present names; deleted ones are named by id. */
interface Route {
  bot_id: string;
  bot_name: string;
  pipeline_id: string;
  pipeline_name: string;
}

export interface MonitoredMessage extends Route {
  id: string;
  timestamp: string;
  /** The message chain as JSON. */
  message_content: string;
  session_id: string;
  status: 'pending' | 'success' | 'error';
  level: 'info' | 'warning' | 'error';
  platform: string | null;
  user_id: string | null;
  user_name: string | null;
  runner_name: string | null;
  /** Variables of runners and prompts, as JSON. */
  variables: string | null;
  role: 'user' | 'assistant';
}

export interface MonitoredLlmCall extends Route {
  id: string;
  timestamp: string;
  model_name: string;
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** Milliseconds. */
  duration: number;
  cost: number | null;
  status: 'success' | 'error';
  session_id: string;
  error_message: string | null;
  message_id: string;
}

export interface MonitoredToolCall extends Route {
  id: string;
  timestamp: string;
  tool_name: string;
  /** JSON. */
  parameters: string;
  /** Bytes. */
  result_size: number | null;
  /** Milliseconds; null while it runs. */
  duration: number | null;
  status: 'pending' | 'success' | 'error';
  session_id: string;
  error_message: string | null;
  message_id: string;
}

export interface MonitoredEmbeddingCall {
  id: string;
  timestamp: string;
  model_name: string;
  prompt_tokens: number;
  total_tokens: number;
  /** Milliseconds. */
  duration: number;
  input_count: number;
  status: 'success' | 'error';
  error_message: string | null;
  knowledge_base_id: string | null;
  query_text: string | null;
  session_id: string | null;
  message_id: string | null;
  call_type: string;
}

export interface MonitoredSession extends Route {
  session_id: string;
  message_count: number;
  start_time: string;
  last_activity: string;
  is_active: boolean;
  platform: string | null;
  user_id: string | null;
  user_name: string | null;
}

export interface MonitoredError extends Route {
  id: string;
  timestamp: string;
  /** A reason, see `docs/errors.md`. */
  error_type: string;
  error_message: string;
  session_id: string;
  /** Always null: stacks of our programs are not exposed. */
  stack_trace: null;
  message_id: string;
}

export interface MonitoredFeedback extends Route {
  id: string;
  timestamp: string;
  feedback_id: string;
  /** 1 for a like, 2 for a dislike. */
  feedback_type: number;
  feedback_content: string | null;
  /** A list of texts as JSON. */
  inaccurate_reasons: string | null;
  session_id: string | null;
  message_id: string | null;
  stream_id: string | null;
  user_id: string | null;
  platform: string | null;
}

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
