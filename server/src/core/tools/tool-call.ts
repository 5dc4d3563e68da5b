import type { Reason } from '@parley/sdk';

/** `interrupted`: the answer was aborted or the process ended during the call, so its result is unknown. */
export type ToolCallState = 'running' | 'succeeded' | 'failed' | 'interrupted';

/** A tool call as it is recorded. */
export interface ToolCall {
  uuid: string;
  message_uuid: string;
  tool_name: string;
  /** As the model gave them, JSON; a long text is cut. */
  parameters: string;
  /** The text that the tool answered; a long one is cut. Null while it runs and when it did not answer. */
  result: string | null;
  /** Bytes of the whole result. */
  result_size: number | null;
  state: ToolCallState;
  /** Null while it runs and when it succeeded. */
  reason: Reason | null;
  /** For the operator; contains no secrets. */
  error: string | null;
  /** ISO 8601 UTC. */
  started_at: string;
  milliseconds: number | null;
}
